-- pattern_in_sql: the occurrences of a shape at a node, from the tables.
CREATE OR REPLACE FUNCTION cognifold.pattern_in_sql(tenant text, shape text, subject uuid, other uuid, hops integer, reach bigint)
RETURNS TABLE (nodes uuid[])
LANGUAGE plpgsql STABLE ROWS 100
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
#variable_conflict use_column
BEGIN
    CASE shape
    WHEN 'chain' THEN
        RETURN QUERY
        WITH RECURSIVE chain AS (
            SELECT subject AS last, ARRAY[subject] AS nodes
            UNION ALL
            SELECT e.target_id, c.nodes || e.target_id
            FROM chain AS c
            JOIN cognifold.graph_edge AS e
              ON e.tenant_id = tenant AND e.source_id = c.last AND e.type = 'causes' AND e.faded_at IS NULL
            WHERE cardinality(c.nodes) <= hops AND e.target_id <> ALL (c.nodes)
        )
        SELECT c.nodes FROM chain AS c WHERE cardinality(c.nodes) > 1 LIMIT reach + 1;
    WHEN 'triangle' THEN
        RETURN QUERY
        WITH near AS MATERIALIZED (
            SELECT DISTINCT e.id FROM cognifold.live_ends(tenant, subject) AS e
        )
        SELECT DISTINCT ARRAY[subject, least(e.source_id, e.target_id), greatest(e.source_id, e.target_id)]
        FROM near AS a
        JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.source_id = a.id AND e.faded_at IS NULL
        JOIN near AS b ON b.id = e.target_id
        LIMIT reach + 1;
    WHEN 'common_neighbour' THEN
        RETURN QUERY
        SELECT ARRAY[subject, c.id, other]
        FROM (SELECT e.id FROM cognifold.live_ends(tenant, subject) AS e
              INTERSECT
              SELECT e.id FROM cognifold.live_ends(tenant, other) AS e) AS c
        WHERE c.id NOT IN (subject, other)
        LIMIT reach + 1;
    WHEN 'evidence' THEN
        RETURN QUERY
        SELECT DISTINCT ARRAY[subject, t.source_id, e.source_id]
        FROM cognifold.graph_edge AS t
        JOIN cognifold.graph_edge AS e
          ON e.tenant_id = tenant AND e.target_id = t.source_id AND e.type IN ('grounds', 'reinforces') AND e.faded_at IS NULL
        WHERE t.tenant_id = tenant AND t.target_id = subject AND t.type = 'triggers' AND t.source_kind = 'concept' AND t.faded_at IS NULL
        LIMIT reach + 1;
    END CASE;
END
$$;
COMMENT ON FUNCTION cognifold.pattern_in_sql(text, text, uuid, uuid, integer, bigint) IS
    'The occurrences of a shape of graph_pattern at a node, at most reach + 1 of them. Internal.';
