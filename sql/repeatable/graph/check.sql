-- check: every invariant of a tenant's memory, asked of the tables themselves, room by room. A sound memory returns no row.
CREATE OR REPLACE FUNCTION cognifold.check(tenant text DEFAULT cognifold.required_tenant())
RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
BEGIN
    RETURN QUERY
    SELECT f.* FROM cognifold.statement_faults(tenant) AS f
    UNION ALL
    SELECT f.* FROM cognifold.event_faults(tenant) AS f
    UNION ALL
    SELECT f.* FROM cognifold.plan_faults(tenant) AS f
    UNION ALL
    SELECT f.* FROM cognifold.concept_faults(tenant) AS f
    UNION ALL
    SELECT f.* FROM cognifold.lexical_faults(tenant) AS f
    UNION ALL
    SELECT f.* FROM cognifold.vector_faults(tenant) AS f
    UNION ALL
    SELECT f.* FROM cognifold.consolidation_faults(tenant) AS f
    UNION ALL
    SELECT f.* FROM cognifold.schedule_faults(tenant) AS f
    UNION ALL
    SELECT f.* FROM cognifold.rank_faults(tenant) AS f
    UNION ALL
    SELECT f.* FROM cognifold.lifecycle_faults(tenant) AS f
    UNION ALL
    SELECT f.* FROM cognifold.delivery_faults(tenant) AS f
    UNION ALL
    SELECT f.* FROM cognifold.watch_faults(tenant) AS f
    UNION ALL
    SELECT f.* FROM cognifold.forget_faults(tenant) AS f;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.check(text) IS
    'Every invariant of the tenant''s memory that does not hold: which, where, how. No row means sound. Reads everything: for tests, restores and doubts, not for each request.';
