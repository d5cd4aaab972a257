-- age_labels: makes the labels that a graph lacks: one for each kind of node and each type of edge.
CREATE OR REPLACE FUNCTION cognifold.age_labels(graph name) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET client_min_messages = warning   -- AGE gives notice of each label
AS $$
DECLARE
    label text;
BEGIN
    FOR label IN SELECT k.kind FROM cognifold.node_kind AS k WHERE to_regclass(format('%I.%I', graph, k.kind)) IS NULL LOOP
        EXECUTE format('SELECT ag_catalog.create_vlabel(%L, %L)', graph, label);
        -- What WHERE n.id = ... in Cypher becomes. AGE makes indexes on its own ids alone.
        EXECUTE format($ddl$CREATE INDEX %I ON %I.%I (ag_catalog.agtype_access_operator(VARIADIC ARRAY[properties, '"id"'::ag_catalog.agtype]))$ddl$,
                       label || '_by_node', graph, label);
    END LOOP;
    FOR label IN SELECT t.type FROM cognifold.edge_type AS t WHERE to_regclass(format('%I.%I', graph, t.type)) IS NULL LOOP
        EXECUTE format('SELECT ag_catalog.create_elabel(%L, %L)', graph, label);
    END LOOP;
END
$$;
COMMENT ON FUNCTION cognifold.age_labels(name) IS 'Makes the labels that a graph lacks, and the index by which a vertex is found by its node''s id. Internal.';
