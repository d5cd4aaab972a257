-- statement_faults: which statements read in events contradict their event or stand without each other.
CREATE OR REPLACE FUNCTION cognifold.statement_faults(tenant text) RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    RETURN QUERY
    SELECT 'a statement is of an event, at its time', s.event_id::text, format('%s: %s', s.attribute, s.value)
    FROM cognifold.state_statement AS s
    WHERE s.tenant_id = tenant
      AND NOT EXISTS (SELECT FROM cognifold.node AS n
                      WHERE n.tenant_id = tenant AND n.id = s.event_id AND n.kind = 'event' AND n.occurred_at = s.occurred_at)
    UNION ALL
    SELECT 'an attribute has a statement', a.subject, a.attribute
    FROM cognifold.state_attribute AS a
    WHERE a.tenant_id = tenant
      AND NOT EXISTS (SELECT FROM cognifold.state_statement AS s WHERE s.tenant_id = tenant AND s.subject = a.subject AND s.attribute = a.attribute);
END
$$;
COMMENT ON FUNCTION cognifold.statement_faults(text) IS
    'Of the statements read in events: those that are not their event''s, and attributes without one. Internal: for check.';
