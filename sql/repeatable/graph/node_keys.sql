-- node_keys: the keys of every journaled row that goes when nodes go: the nodes, what belongs to them, and their edges.
CREATE OR REPLACE FUNCTION cognifold.node_keys(tenant text, ids uuid[]) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN (
        SELECT coalesce(jsonb_agg(jsonb_build_object('relation', k.relation, 'node_id', k.node_id, 'other_id', k.other_id, 'part', k.part)
                                  ORDER BY k.place, k.node_id, k.other_id, k.part), '[]')
        FROM (
            SELECT 1 AS place, 'node' AS relation, i.id AS node_id, NULL::uuid AS other_id, NULL::text AS part FROM unnest(ids) AS i (id)
            UNION ALL
            SELECT 2, 'concept_state', s.node_id, NULL, NULL FROM cognifold.concept_state AS s
            WHERE s.tenant_id = node_keys.tenant AND s.node_id = ANY (ids)
            UNION ALL
            SELECT 3, 'node_state', s.node_id, NULL, NULL FROM cognifold.node_state AS s
            WHERE s.tenant_id = node_keys.tenant AND s.node_id = ANY (ids)
            UNION ALL
            SELECT 4, 'annotation', a.node_id, NULL, a.name FROM cognifold.annotation AS a
            WHERE a.tenant_id = node_keys.tenant AND a.node_id = ANY (ids)
            UNION ALL
            SELECT 5, 'intent_state', s.node_id, NULL, NULL FROM cognifold.intent_state AS s
            WHERE s.tenant_id = node_keys.tenant AND s.node_id = ANY (ids)
            UNION ALL
            SELECT 6, 'intent_transition', t.node_id, NULL, t.position::text FROM cognifold.intent_transition AS t
            WHERE t.tenant_id = node_keys.tenant AND t.node_id = ANY (ids)
            UNION ALL
            SELECT 7, 'intent_feedback', f.node_id, f.event_id, f.category FROM cognifold.intent_feedback AS f
            WHERE f.tenant_id = node_keys.tenant AND f.node_id = ANY (ids)
            UNION ALL
            SELECT 7, 'intent_action_state', a.node_id, NULL, a.position::text FROM cognifold.intent_action_state AS a
            WHERE a.tenant_id = node_keys.tenant AND a.node_id = ANY (ids)
            UNION ALL   -- what is about them, and what rests on them
            (SELECT 8, 'insight_state', i.insight_id, i.node_id, i.kind FROM cognifold.insight_state AS i
             WHERE i.tenant_id = node_keys.tenant AND i.node_id = ANY (ids)
             UNION
             SELECT 8, 'insight_state', i.insight_id, i.node_id, i.kind FROM cognifold.insight_state AS i
             WHERE i.tenant_id = node_keys.tenant AND i.from_concepts AND i.derived_from && ids)
            UNION ALL
            (SELECT 9, 'graph_edge', e.source_id, e.target_id, e.type FROM cognifold.graph_edge AS e
             WHERE e.tenant_id = node_keys.tenant AND e.source_id = ANY (ids)
             UNION
             SELECT 9, 'graph_edge', e.source_id, e.target_id, e.type FROM cognifold.graph_edge AS e
             WHERE e.tenant_id = node_keys.tenant AND e.target_id = ANY (ids))
        ) AS k);
END
$$;
COMMENT ON FUNCTION cognifold.node_keys(text, uuid[]) IS
    'Keys {relation, node_id, other_id, part} of the journaled rows that deleting these nodes deletes. Internal.';
