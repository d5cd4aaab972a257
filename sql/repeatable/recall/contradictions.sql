-- contradictions: the pairs among some memories that cannot both hold.
CREATE OR REPLACE FUNCTION cognifold.contradictions(tenant text, node_ids uuid[], known_at timestamptz DEFAULT NULL)
RETURNS TABLE (node_id uuid, contradicts uuid)
LANGUAGE sql STABLE ROWS 10
SET search_path FROM CURRENT
AS $$
    WITH said AS (
        SELECT e.source_id, e.target_id FROM cognifold.graph_edge AS e
        WHERE known_at IS NULL AND e.tenant_id = tenant AND e.source_id = ANY (node_ids) AND e.target_id = ANY (node_ids) AND e.type = 'contradicts'
        UNION ALL
        SELECT e.source_id, e.target_id
        FROM unnest(CASE WHEN known_at IS NOT NULL THEN node_ids END) AS i (id)
        CROSS JOIN LATERAL cognifold.edges_at(tenant, known_at, i.id) AS e
        WHERE e.source_id = i.id AND e.target_id = ANY (node_ids) AND e.type = 'contradicts'
        UNION ALL
        SELECT c.node_id, c.contradicted_by FROM cognifold.conflicting_statements(tenant, node_ids) AS c
    )
    SELECT s.source_id, s.target_id FROM said AS s
    UNION
    SELECT s.target_id, s.source_id FROM said AS s
    ORDER BY 1, 2
$$;
COMMENT ON FUNCTION cognifold.contradictions(text, uuid[], timestamptz) IS
    'Pairs of the given nodes that a contradicts edge joins, live or faded (what contradicts does not agree by being forgotten), or that state different things of the same subject and attribute; each pair both ways. Internal: explain_recall and context ask.';
