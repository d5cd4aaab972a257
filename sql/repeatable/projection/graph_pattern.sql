-- graph_pattern: where a shape out of a short list occurs at a node.
CREATE OR REPLACE FUNCTION cognifold.graph_pattern(
    shape text, node_id uuid, other_id uuid DEFAULT NULL, hops integer DEFAULT 3, k integer DEFAULT 100, engine text DEFAULT 'sql',
    tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (nodes uuid[], titles text[])
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    subject  uuid;
    other    uuid;
    reach    bigint;
    graph    name;
    occurrence record;
BEGIN
    IF shape IS NULL OR shape NOT IN ('chain', 'triangle', 'common_neighbour', 'evidence') THEN
        RAISE EXCEPTION 'graph_pattern: shape % is not known', coalesce(quote_literal(left(shape, 40)), 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Shapes are chain, triangle, common_neighbour and evidence.';
    ELSIF (shape = 'common_neighbour') <> (other_id IS NOT NULL) THEN
        RAISE EXCEPTION 'graph_pattern: other_id is for shape common_neighbour, which needs it, and no other'
            USING ERRCODE = 'CF010', HINT = 'Give the second of the two nodes as other_id, or leave it out.';
    END IF;
    PERFORM cognifold.checked_walk('graph_pattern', hops, k, engine, tenant);
    subject := cognifold.known_node(tenant, node_id);
    IF other_id IS NOT NULL THEN
        other := cognifold.known_node(tenant, other_id);
    END IF;
    reach := cognifold.setting('graph.reach', tenant);
    IF engine = 'age' THEN
        graph := cognifold.graph_of(tenant);
    END IF;
    FOR occurrence IN EXECUTE format(
        'SELECT f.nodes, f.number FROM (SELECT p.nodes, count(*) OVER () AS number FROM %s AS p) AS f ORDER BY f.nodes LIMIT $7',
        CASE engine WHEN 'age' THEN 'cognifold.age_pattern($8, $2, $3, $4, $5, $6)'
                    ELSE 'cognifold.pattern_in_sql($1, $2, $3, $4, $5, $6)' END)
        USING tenant, shape, subject, other, hops, reach, k, graph
    LOOP
        IF occurrence.number > reach THEN
            PERFORM cognifold.beyond_reach('graph_pattern', reach);
        END IF;
        nodes := occurrence.nodes;
        titles := ARRAY(SELECT n.title FROM unnest(occurrence.nodes) WITH ORDINALITY AS w (id, place)
                        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = w.id ORDER BY w.place);
        RETURN NEXT;
    END LOOP;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.graph_pattern(text, uuid, uuid, integer, integer, text, text) IS
    'The first k occurrences, by ids, of a shape over live edges. chain: node causes another, which causes the next, 1 to hops edges, none twice. triangle: node and two others, each with an edge to each, whichever way. common_neighbour: what has an edge with node and with other_id. evidence: intent, concept that triggers it, event that grounds or reinforces that. nodes in this order. engine: sql or age, as of graph_neighbourhood. Raises CF010, CF021, CF053 likewise.';
