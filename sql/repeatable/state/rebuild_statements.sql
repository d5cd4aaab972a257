-- rebuild_statements: reads every event of a tenant anew, in order of event time, as after a change of the words of attributes.
CREATE OR REPLACE FUNCTION cognifold.rebuild_statements(tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    settings jsonb := cognifold.settings(tenant);
    noted    bigint;
BEGIN
    PERFORM cognifold.take_turn(tenant);
    DELETE FROM cognifold.state_attribute AS a WHERE a.tenant_id = tenant;   -- and their statements with them
    SELECT sum(cognifold.note_statements(tenant, e.id, settings)) INTO noted
    FROM (SELECT n.id FROM cognifold.node AS n
          JOIN cognifold.lexical_document AS d ON d.tenant_id = n.tenant_id AND d.node_id = n.id
          WHERE n.tenant_id = tenant AND n.kind = 'event' ORDER BY n.occurred_at, n.id) AS e;
    PERFORM cognifold.leave_tenant(previous);
    RETURN coalesce(noted, 0);
END
$$;
COMMENT ON FUNCTION cognifold.rebuild_statements(text) IS 'Derives a tenant''s statements anew from its indexed events and returns how many there are. For an installation whose state_cue or events it was upgraded with changed.';
