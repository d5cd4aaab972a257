-- age_paths: ways from one node to another that pass none twice, by openCypher's paths of variable length.
--
-- AGE follows every way that repeats no edge, so how many there are is counted beforehand, edge by edge, from the tables.
CREATE OR REPLACE FUNCTION cognifold.age_paths(graph name, start uuid, goal uuid, hops integer, k integer, reach bigint)
RETURNS TABLE (nodes uuid[], relations text[], forward boolean[])
LANGUAGE plpgsql STABLE ROWS 10
SET search_path FROM CURRENT
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
    tenant  text := cognifold.current_tenant();
    ends    uuid[] := ARRAY[start];
    ways    numeric[] := ARRAY[1];
    steps   numeric := 0;
    found   integer := 0;
    way     record;
BEGIN
    FOR length IN 1 .. hops LOOP
        SELECT coalesce(array_agg(n.id), '{}'), coalesce(array_agg(n.ways), '{}'), steps + coalesce(sum(n.ways), 0) INTO ends, ways, steps
        FROM (SELECT e.id, sum(f.ways) AS ways
              FROM unnest(ends, ways) AS f (id, ways) CROSS JOIN LATERAL cognifold.live_ends(tenant, f.id) AS e
              GROUP BY e.id) AS n;
        IF steps > reach THEN
            PERFORM cognifold.beyond_reach('graph_paths', reach);
        END IF;
        FOR way IN EXECUTE format(
            $query$
            SELECT w.nodes, w.relations, w.forward
            FROM ag_catalog.cypher(%1$L, $cypher$
                     MATCH p = (a)-[*%2$s..%2$s]-(b) WHERE a.id = $start AND b.id = $goal RETURN nodes(p), relationships(p)
                 $cypher$, $1) AS p (vertices ag_catalog.agtype, edges ag_catalog.agtype)
            CROSS JOIN LATERAL (
                SELECT array_agg(ag_catalog.agtype_access_operator(VARIADIC ARRAY[v.v, '"id"'::ag_catalog.agtype])::text::uuid ORDER BY v.place) AS nodes,
                       array_agg(ag_catalog.age_id(v.v) ORDER BY v.place) AS places
                FROM ag_catalog.age_unnest(p.vertices) WITH ORDINALITY AS v (v, place)
            ) AS n
            CROSS JOIN LATERAL (
                SELECT n.nodes, array_agg(ag_catalog.age_type(e.e)::text ORDER BY e.place) AS relations,
                       array_agg(ag_catalog.age_start_id(e.e) = n.places[e.place] ORDER BY e.place) AS forward
                FROM ag_catalog.age_unnest(p.edges) WITH ORDINALITY AS e (e, place)
            ) AS w
            WHERE (SELECT count(DISTINCT d.id) FROM unnest(w.nodes) AS d (id)) = cardinality(w.nodes)
            ORDER BY w.nodes, w.relations, w.forward
            $query$, graph, length)
            USING jsonb_build_object('start', start, 'goal', goal)::text::ag_catalog.agtype
        LOOP
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
COMMENT ON FUNCTION cognifold.age_paths(name, uuid, uuid, integer, integer, bigint) IS 'paths_in_sql, asked of a graph in Apache AGE. Internal.';
