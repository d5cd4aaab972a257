-- paths_in_sql: ways from one node to another that pass none twice, from the tables. Only nodes near enough to the goal are entered.
CREATE OR REPLACE FUNCTION cognifold.paths_in_sql(tenant text, start uuid, goal uuid, hops integer, k integer, reach bigint)
RETURNS TABLE (nodes uuid[], relations text[], forward boolean[])
LANGUAGE plpgsql STABLE ROWS 10
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
    near      uuid[] := ARRAY[goal];
    distances integer[] := ARRAY[0];
    found     integer := 0;
    way       record;
BEGIN
    -- A way of so many hops enters, after its first, only nodes at one hop less from the goal.
    SELECT near || coalesce(array_agg(n.id), '{}'), distances || coalesce(array_agg(n.hop), '{}') INTO near, distances
    FROM cognifold.neighbourhood_in_sql(tenant, goal, hops - 1, reach) AS n;
    FOR length IN 1 .. hops LOOP
        FOR way IN
            WITH RECURSIVE ahead AS MATERIALIZED (
                SELECT n.id, n.distance FROM unnest(near, distances) AS n (id, distance)
            ), walk AS (
                SELECT start AS last, ARRAY[start] AS nodes, '{}'::text[] AS relations, '{}'::boolean[] AS forward
                UNION ALL
                SELECT e.id, w.nodes || e.id, w.relations || e.relation, w.forward || e.forward
                FROM walk AS w
                CROSS JOIN LATERAL cognifold.live_ends(tenant, w.last) AS e
                JOIN ahead AS a ON a.id = e.id AND a.distance < length - cardinality(w.relations)
                WHERE w.last <> goal AND e.id <> ALL (w.nodes)
            ), walked AS MATERIALIZED (
                SELECT w.* FROM walk AS w LIMIT reach + 1
            )
            SELECT c.number, w.nodes, w.relations, w.forward
            FROM (SELECT count(*) AS number FROM walked) AS c
            LEFT JOIN walked AS w ON w.last = goal AND cardinality(w.relations) = length
            ORDER BY w.nodes, w.relations, w.forward
        LOOP
            IF way.number > reach THEN
                PERFORM cognifold.beyond_reach('graph_paths', reach);
            END IF;
            CONTINUE WHEN way.nodes IS NULL;
            nodes := way.nodes;
            relations := way.relations;
            forward := way.forward;
            RETURN NEXT;
            found := found + 1;
            EXIT WHEN found = k;
        END LOOP;
        EXIT WHEN found = k;
    END LOOP;
END
$$;
COMMENT ON FUNCTION cognifold.paths_in_sql(text, uuid, uuid, integer, integer, bigint) IS
    'The k shortest ways over live edges, of at most hops, that pass no node twice; CF053 beyond reach steps. Internal.';
