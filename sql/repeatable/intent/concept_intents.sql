-- concept_intents: the intents that concepts have given rise to, with where each stands at a moment.
CREATE OR REPLACE FUNCTION cognifold.concept_intents(tenant text, concepts uuid[], clock timestamptz)
RETURNS TABLE (intent_id uuid, status text, closed_at timestamptz, last_evidence timestamptz)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT s.node_id, x.status,
           CASE x.status WHEN 'expired' THEN s.expires_at ELSE s.closed_at END,
           greatest(
               (SELECT max(n.occurred_at) FROM cognifold.graph_edge AS g
                JOIN cognifold.node AS n ON n.tenant_id = g.tenant_id AND n.id = g.source_id
                WHERE g.tenant_id = s.tenant_id AND g.target_id = s.node_id AND g.type = 'grounds'),
               -- Reopened: a person knew what had happened until then, and found it not done.
               cognifold.reopened_at(s.tenant_id, s.node_id))
    FROM (
        SELECT DISTINCT e.target_id FROM cognifold.graph_edge AS e
        WHERE e.tenant_id = concept_intents.tenant AND e.source_id = ANY (concepts) AND e.target_kind = 'intent' AND e.type = 'triggers'
    ) AS t
    JOIN cognifold.intent_state AS s ON s.tenant_id = concept_intents.tenant AND s.node_id = t.target_id
    CROSS JOIN LATERAL (SELECT cognifold.intent_status(s.status, s.wake_at, s.expires_at, clock) AS status) AS x;
END
$$;
COMMENT ON FUNCTION cognifold.concept_intents(text, uuid[], timestamptz) IS
    'Intents triggered by any of the concepts: status at a moment, when it closed, and the time of the last event it is grounded in, or of its last reopening: what came before resolves it not. Internal.';
