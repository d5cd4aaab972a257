-- age_create, age_drop: a tenant's graph comes and goes.
CREATE OR REPLACE FUNCTION cognifold.age_create(tenant text) RETURNS name
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
SET client_min_messages = warning   -- AGE gives notice of each label
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    graph    name := (SELECT p.graph_name FROM cognifold.graph_projection AS p WHERE p.tenant_id = tenant FOR UPDATE);
    is_whole boolean := EXISTS (SELECT FROM pg_namespace AS n JOIN ag_catalog.ag_graph AS g ON g.name = n.nspname AND g.graphid = n.oid
                                WHERE n.nspname = graph);
BEGIN
    IF NOT is_whole THEN
        IF graph IS NOT NULL THEN   -- what a restore has left: tables without a graph
            EXECUTE format('DROP SCHEMA IF EXISTS %I CASCADE', graph);
        END IF;
        LOOP
            graph := format('cognifold_graph_%s', nextval('cognifold.graph_number'));
            EXIT WHEN to_regnamespace(graph) IS NULL AND NOT EXISTS (SELECT FROM ag_catalog.ag_graph AS g WHERE g.name = graph);
        END LOOP;
        EXECUTE format('SELECT ag_catalog.create_graph(%L)', graph);
        INSERT INTO cognifold.graph_projection AS p (tenant_id, graph_name) VALUES (tenant, graph)
        ON CONFLICT ON CONSTRAINT graph_projection_pkey DO UPDATE SET graph_name = excluded.graph_name, version = 0, stale = true, synced_at = NULL;
        PERFORM cognifold.set_schedule('graph', enabled => true, tenant => tenant);
    END IF;
    PERFORM cognifold.age_labels(graph);
    PERFORM cognifold.leave_tenant(previous);
    RETURN graph;
END
$$;
COMMENT ON FUNCTION cognifold.age_create(text) IS 'Makes the tenant''s graph with its labels where it has none, or none that is whole, and returns its name. Internal: graph_enable calls it.';

CREATE OR REPLACE FUNCTION cognifold.age_drop(tenant text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
SET client_min_messages = warning   -- AGE gives notice of each label
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    graph    name := (SELECT p.graph_name FROM cognifold.graph_projection AS p WHERE p.tenant_id = tenant FOR UPDATE);
BEGIN
    IF graph IS NOT NULL THEN
        IF EXISTS (SELECT FROM pg_namespace AS n JOIN ag_catalog.ag_graph AS g ON g.name = n.nspname AND g.graphid = n.oid WHERE n.nspname = graph) THEN
            PERFORM ag_catalog.drop_graph(graph, true);
        ELSE
            EXECUTE format('DROP SCHEMA IF EXISTS %I CASCADE', graph);
        END IF;
        DELETE FROM cognifold.graph_projection AS p WHERE p.tenant_id = tenant;
        DELETE FROM cognifold.schedule AS s WHERE s.tenant_id = tenant AND s.job = 'graph';
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN graph IS NOT NULL;
END
$$;
COMMENT ON FUNCTION cognifold.age_drop(text) IS 'Takes the tenant''s graph away, with its schedule; whether there was one. Internal: graph_disable calls it.';
