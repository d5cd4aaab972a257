-- graph_paths: how two nodes hang together: the shortest ways from one to the other.
CREATE OR REPLACE FUNCTION cognifold.graph_paths(
    from_id uuid, to_id uuid, max_hops integer DEFAULT 3, k integer DEFAULT 10, engine text DEFAULT 'sql',
    tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (hops integer, nodes uuid[], relations text[], forward boolean[], titles text[])
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    start    uuid;
    goal     uuid;
    reach    bigint;
    graph    name;
    way      record;
BEGIN
    PERFORM cognifold.checked_walk('graph_paths', max_hops, k, engine, tenant);
    start := cognifold.known_node(tenant, from_id);
    goal := cognifold.known_node(tenant, to_id);
    reach := cognifold.setting('graph.reach', tenant);
    IF engine = 'age' THEN
        graph := cognifold.graph_of(tenant);
    END IF;
    IF start <> goal THEN
        FOR way IN EXECUTE CASE engine
            WHEN 'age' THEN 'SELECT p.* FROM cognifold.age_paths($7, $2, $3, $4, $5, $6) AS p'
            ELSE 'SELECT p.* FROM cognifold.paths_in_sql($1, $2, $3, $4, $5, $6) AS p' END
            USING tenant, start, goal, max_hops, k, reach, graph
        LOOP
            hops := cardinality(way.relations);
            nodes := way.nodes;
            relations := way.relations;
            forward := way.forward;
            titles := ARRAY(SELECT n.title FROM unnest(way.nodes) WITH ORDINALITY AS w (id, place)
                            JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = w.id ORDER BY w.place);
            RETURN NEXT;
        END LOOP;
    END IF;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.graph_paths(uuid, uuid, integer, integer, text, text) IS
    'The k shortest ways between two nodes over live edges followed either way, of at most max_hops, none through a node twice; shortest first, then by ids. nodes: from from_id to to_id; relations: the type of each edge between them; forward: whether it is followed the way it was stated. max_hops up to graph.hops, k up to graph.rows. engine: sql or age, as of graph_neighbourhood. Raises CF010, CF021, CF053 likewise.';
