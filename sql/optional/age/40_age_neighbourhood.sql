-- age_neighbourhood: what can be reached from a node, ring by ring, by openCypher.
--
-- One hop each way at a time: a pattern without direction has AGE try every edge of the graph, and one of variable length every way
-- there is. The text is constant but for the graph's name, which the memory made; ids travel as a parameter.
CREATE OR REPLACE FUNCTION cognifold.age_neighbourhood(graph name, start uuid, hops integer, reach bigint) RETURNS TABLE (hop integer, id uuid)
LANGUAGE plpgsql STABLE ROWS 1000
SET search_path FROM CURRENT
-- How long the list is that Cypher unwinds PostgreSQL cannot see, and reads all edges for it rather than those of a few nodes.
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    ring uuid[] := ARRAY[start];
    seen uuid[] := ARRAY[start];
BEGIN
    FOR distance IN 1 .. hops LOOP
        EXECUTE format(
            $query$
            SELECT coalesce(array_agg(f.id), '{}')
            FROM (SELECT n.id::text::uuid AS id
                  FROM (SELECT o.id FROM ag_catalog.cypher(%1$L, $cypher$
                            UNWIND $ring AS i MATCH (a)-[]->(b) WHERE a.id = i RETURN DISTINCT b.id
                        $cypher$, $1) AS o (id ag_catalog.agtype)
                        UNION ALL
                        SELECT o.id FROM ag_catalog.cypher(%1$L, $cypher$
                            UNWIND $ring AS i MATCH (a)<-[]-(b) WHERE a.id = i RETURN DISTINCT b.id
                        $cypher$, $1) AS o (id ag_catalog.agtype)) AS n
                  EXCEPT
                  SELECT s.id FROM unnest($2) AS s (id)) AS f
            $query$, graph)
        INTO ring USING jsonb_build_object('ring', ring)::text::ag_catalog.agtype, seen;
        EXIT WHEN ring = '{}';
        seen := seen || ring;
        IF cardinality(seen) > reach THEN
            PERFORM cognifold.beyond_reach('graph_neighbourhood', reach);
        END IF;
        RETURN QUERY SELECT distance, r.id FROM unnest(ring) AS r (id);
    END LOOP;
END
$$;
COMMENT ON FUNCTION cognifold.age_neighbourhood(name, uuid, integer, bigint) IS 'neighbourhood_in_sql, asked of a graph in Apache AGE. Internal.';
