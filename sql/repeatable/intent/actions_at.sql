-- actions_at: what the view intent_action shows of a moment of transaction time.
CREATE OR REPLACE FUNCTION cognifold.actions_at(tenant text, moment timestamptz) RETURNS TABLE (
    tenant_id text, intent_id uuid, "position" integer, what text, due_at timestamptz, status text, proposer text, event_id uuid, as_of timestamptz, plan_id uuid
)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH changed AS MATERIALIZED (
        SELECT i.node_id, i.part, i.image FROM cognifold.images_since(actions_at.tenant, actions_at.moment, 'intent_action_state') AS i
    )
    SELECT actions_at.tenant, s.node_id, s.position, s.what, s.due_at, s.status, s.proposer, s.event_id, s.as_of, s.plan_id
    FROM (
        SELECT r.* FROM changed AS c CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.intent_action_state, c.image) AS r WHERE c.image IS NOT NULL
        UNION ALL
        SELECT a.* FROM cognifold.intent_action_state AS a
        WHERE a.tenant_id = actions_at.tenant
          AND NOT EXISTS (SELECT FROM changed AS c WHERE c.node_id = a.node_id AND c.part = a.position::text)
    ) AS s;
END
$$;
COMMENT ON FUNCTION cognifold.actions_at(text, timestamptz) IS 'The rows of the view intent_action as they were known at a moment of transaction time. Internal: the view calls it.';
