-- subject_traces: what names somebody and is no event: words of models and people, and what plans and journal hold of earlier ones.
CREATE OR REPLACE FUNCTION cognifold.subject_traces(tenant text, naming text) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_variable
BEGIN
    RETURN (
        WITH image AS MATERIALIZED (
            SELECT j.plan_id, j.relation, j.node_id, j.other_id, j.part FROM cognifold.journal AS j
            WHERE j.tenant_id = tenant AND (j.before IS NOT NULL AND cognifold.says(j.before, naming) OR j.relation = 'annotation' AND j.part ~* naming)
        ), edge AS (
            SELECT e.source_id, e.target_id, e.type FROM cognifold.graph_edge AS e
            WHERE e.tenant_id = tenant AND e.metadata IS NOT NULL AND cognifold.says(e.metadata, naming)
        )
        SELECT jsonb_build_object(
            'reworded', (SELECT coalesce(jsonb_agg(DISTINCT n.id), '[]') FROM cognifold.node AS n
                         WHERE n.tenant_id = tenant AND n.kind <> 'event'
                           AND n.id IN (SELECT s.id FROM cognifold.nodes_naming(tenant, naming) AS s (id)
                                        UNION ALL
                                        SELECT i.node_id FROM image AS i WHERE i.relation <> 'graph_edge')),
            'insights', (SELECT coalesce(jsonb_agg(DISTINCT i.id), '[]')
                         FROM (SELECT s.insight_id AS id FROM cognifold.insight_state AS s
                               WHERE s.tenant_id = tenant AND (s.insight ~* naming OR s.aspect ~* naming OR s.kind ~* naming OR cognifold.says(s.figures, naming))
                               UNION ALL
                               SELECT i.node_id FROM image AS i WHERE i.relation = 'insight_state') AS i),
            'plans', (SELECT coalesce(jsonb_agg(DISTINCT p.plan_id), '[]') FROM cognifold.plan AS p
                      WHERE p.tenant_id = tenant AND (p.reasoning ~* naming OR cognifold.says(p.operations, naming) OR cognifold.says(p.result, naming))),
            'told', (SELECT coalesce(jsonb_agg(DISTINCT t.key), '[]')
                     FROM (SELECT jsonb_build_object('relation', i.relation, 'node_id', i.node_id, 'other_id', i.other_id, 'part', i.part) AS key
                           FROM image AS i JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = i.node_id
                           WHERE i.relation = 'graph_edge' OR i.relation = 'annotation' AND n.kind = 'event'
                           UNION ALL
                           SELECT jsonb_build_object('relation', 'graph_edge', 'node_id', e.source_id, 'other_id', e.target_id, 'part', e.type) FROM edge AS e) AS t)));
END
$$;
COMMENT ON FUNCTION cognifold.subject_traces(text, text) IS
    '{reworded: concepts, intents and moments; insights; plans; told: journal keys of edges and annotations} whose words, or those they had, hold a name (naming_pattern). Reads the tenant''s whole record. Internal: forget calls it.';
