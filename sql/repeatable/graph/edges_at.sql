-- edges_at: the edges as they were known at a moment of transaction time: all of them, or those of one node.
CREATE OR REPLACE FUNCTION cognifold.edges_at(tenant text, moment timestamptz, node_id uuid DEFAULT NULL) RETURNS SETOF cognifold.graph_edge
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    IF edges_at.node_id IS NULL THEN
        RETURN QUERY
        WITH changed AS MATERIALIZED (
            SELECT i.* FROM cognifold.images_since(edges_at.tenant, edges_at.moment, 'graph_edge') AS i
        )
        SELECT e.* FROM cognifold.graph_edge AS e
        WHERE e.tenant_id = edges_at.tenant
          AND NOT EXISTS (SELECT FROM changed AS c WHERE c.node_id = e.source_id AND c.other_id = e.target_id AND c.part = e.type)
        UNION ALL
        SELECT r.* FROM changed AS c
        CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.graph_edge, c.image || jsonb_build_object('tenant_id', edges_at.tenant)) AS r
        WHERE c.image IS NOT NULL;
    ELSE
        RETURN QUERY
        WITH touching AS (
            SELECT j.* FROM cognifold.journal AS j
            WHERE j.tenant_id = edges_at.tenant AND j.node_id = edges_at.node_id AND j.relation = 'graph_edge'
            UNION ALL
            SELECT j.* FROM cognifold.journal AS j
            WHERE j.tenant_id = edges_at.tenant AND j.other_id = edges_at.node_id AND j.relation = 'graph_edge'
        ), changed AS MATERIALIZED (
            SELECT DISTINCT ON (t.node_id, t.other_id, t.part) t.node_id, t.other_id, t.part, t.before AS image
            FROM touching AS t
            JOIN cognifold.plan AS p ON p.tenant_id = t.tenant_id AND p.plan_id = t.plan_id AND p.applied_at > edges_at.moment
            ORDER BY t.node_id, t.other_id, t.part, p.version
        ), present AS (
            SELECT e.* FROM cognifold.graph_edge AS e WHERE e.tenant_id = edges_at.tenant AND e.source_id = edges_at.node_id
            UNION ALL
            SELECT e.* FROM cognifold.graph_edge AS e WHERE e.tenant_id = edges_at.tenant AND e.target_id = edges_at.node_id
        )
        SELECT e.* FROM present AS e
        WHERE NOT EXISTS (SELECT FROM changed AS c WHERE c.node_id = e.source_id AND c.other_id = e.target_id AND c.part = e.type)
        UNION ALL
        SELECT r.* FROM changed AS c
        CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.graph_edge, c.image || jsonb_build_object('tenant_id', edges_at.tenant)) AS r
        WHERE c.image IS NOT NULL;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.edges_at(text, timestamptz, uuid) IS
    'The rows of graph_edge as they were known at a moment of transaction time: the tenant''s, or those of one node, which costs only what was done to that node. Internal: the view edge and explain call it.';
