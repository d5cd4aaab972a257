-- propose: the plan the SQL planner would apply for an event, without applying it.
CREATE OR REPLACE FUNCTION cognifold.propose(event_id uuid, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    plan     jsonb;
BEGIN
    IF NOT EXISTS (SELECT FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.kind = 'event' AND n.id = event_id) THEN
        RAISE EXCEPTION 'event % is not known to tenant "%"', coalesce(event_id::text, 'NULL'), tenant
            USING ERRCODE = 'CF021', HINT = 'remember returns the id of an event.';
    END IF;
    plan := cognifold.propose_plan(tenant, event_id, cognifold.settings(tenant));
    PERFORM cognifold.leave_tenant(previous);
    RETURN plan;
END
$$;
COMMENT ON FUNCTION cognifold.propose(uuid, text) IS
    'The UpdatePlan the SQL planner proposes for an event, given the graph as it is; changes nothing. fold applies it.';
