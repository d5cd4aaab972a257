-- graph_neighbourhood: what lies within so many live edges of a node, nearest first.
CREATE OR REPLACE FUNCTION cognifold.graph_neighbourhood(
    node_id uuid, hops integer DEFAULT 1, k integer DEFAULT 100, engine text DEFAULT 'sql', tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (hop integer, id uuid, kind text, title text, occurred_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    subject  uuid;
    reach    bigint;
    graph    name;
BEGIN
    PERFORM cognifold.checked_walk('graph_neighbourhood', hops, k, engine, tenant);
    subject := cognifold.known_node(tenant, node_id);
    reach := cognifold.setting('graph.reach', tenant);
    IF engine = 'age' THEN
        graph := cognifold.graph_of(tenant);   -- on its own: where there is no AGE, what follows cannot even be read
        RETURN QUERY
        SELECT f.hop, n.id, n.kind, n.title, n.occurred_at
        FROM cognifold.age_neighbourhood(graph, subject, hops, reach) AS f
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = f.id
        ORDER BY f.hop, n.id LIMIT k;
    ELSE
        RETURN QUERY
        SELECT f.hop, n.id, n.kind, n.title, n.occurred_at
        FROM cognifold.neighbourhood_in_sql(tenant, subject, hops, reach) AS f
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = f.id
        ORDER BY f.hop, n.id LIMIT k;
    END IF;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.graph_neighbourhood(uuid, integer, integer, text, text) IS
    'The k nodes nearest to a node over live edges followed either way, each once with its distance (hop, 1 to hops), then by id. hops up to graph.hops, k up to graph.rows. engine: sql reads the tables; age the tenant''s graph in Apache AGE, as of its last graph_sync. Raises CF010, CF021 for a node that is not there, CF053 where it takes more than graph.reach nodes or, for age, where the tenant has no graph.';
