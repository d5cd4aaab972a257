-- graph_enable, graph_disable: give a tenant a graph in Apache AGE, and take it away again without a trace.
CREATE OR REPLACE FUNCTION cognifold.graph_enable(tenant text DEFAULT cognifold.required_tenant()) RETURNS name
LANGUAGE plpgsql VOLATILE SECURITY INVOKER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    allowed boolean := has_database_privilege('cognifold_owner', current_database(), 'CREATE');
    graph   name;
    broken  oid[];
BEGIN
    PERFORM cognifold.age_required();
    PERFORM pg_advisory_xact_lock(hashtextextended('cognifold.graph_enable', 0));   -- what follows writes rows that all databases share
    -- Of a graph that was restored AGE's catalog has rows with the numbers of another database, which keep its tables from being
    -- dropped. Only whoever owns the extension may remove them.
    IF has_table_privilege('ag_catalog.ag_graph', 'DELETE') AND has_table_privilege('ag_catalog.ag_label', 'DELETE') THEN
        broken := ARRAY(SELECT g.graphid FROM ag_catalog.ag_graph AS g
                        WHERE g.name ~ '^cognifold_graph_[0-9]+$'
                          AND NOT EXISTS (SELECT FROM pg_namespace AS n WHERE n.oid = g.graphid AND n.nspname = g.name));
        DELETE FROM ag_catalog.ag_label AS l WHERE l.graph = ANY (broken);
        DELETE FROM ag_catalog.ag_graph AS g WHERE g.graphid = ANY (broken);
    END IF;
    -- A graph is a schema: its owner may make one for as long as this takes, and nobody else sees that it may.
    IF NOT allowed THEN
        EXECUTE format('GRANT CREATE ON DATABASE %I TO cognifold_owner', current_database());
    END IF;
    graph := cognifold.age_create(tenant);
    IF NOT allowed THEN
        EXECUTE format('REVOKE CREATE ON DATABASE %I FROM cognifold_owner', current_database());
    END IF;
    RETURN graph;
END
$$;
COMMENT ON FUNCTION cognifold.graph_enable(text) IS
    'Gives a tenant a graph in Apache AGE, empty until the first graph_rebuild, has workers keep it up to date (the job graph), and returns its name. Where it has one nothing changes; one that a restore has broken is made anew. For administrators who may create schemas in the database: some fifty tables and indexes come to be. CF053 where there is no AGE.';

CREATE OR REPLACE FUNCTION cognifold.graph_disable(tenant text DEFAULT cognifold.required_tenant()) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY INVOKER
SET search_path FROM CURRENT
AS $$
BEGIN
    PERFORM cognifold.age_required();
    RETURN cognifold.age_drop(tenant);
END
$$;
COMMENT ON FUNCTION cognifold.graph_disable(text) IS
    'Takes a tenant''s graph in Apache AGE away, with its schema, its labels and its schedule; the memory keeps all it knows. False where there was none. For administrators.';
