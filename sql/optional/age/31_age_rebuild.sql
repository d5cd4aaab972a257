-- age_rebuild: fills a graph from the tables, in bulk.
CREATE OR REPLACE FUNCTION cognifold.age_rebuild(tenant text) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    graph  name;
    upto   bigint;
    label  text;
    stored bigint := 0;
    number bigint;
BEGIN
    SELECT p.graph_name INTO graph FROM cognifold.graph_projection AS p WHERE p.tenant_id = tenant FOR UPDATE;
    -- Read before the rows are: what a plan changes meanwhile is carried over after it, again.
    upto := coalesce((SELECT max(p.version) FROM cognifold.plan AS p WHERE p.tenant_id = tenant), 0);
    PERFORM cognifold.age_labels(graph);
    FOR label IN SELECT k.kind FROM cognifold.node_kind AS k UNION ALL SELECT t.type FROM cognifold.edge_type AS t LOOP
        EXECUTE format('TRUNCATE %I.%I', graph, label);
    END LOOP;
    FOR label IN SELECT k.kind FROM cognifold.node_kind AS k ORDER BY k.kind LOOP
        EXECUTE format(
            $insert$
            INSERT INTO %1$I.%2$I (id, properties)
            SELECT ag_catalog._graphid(%3$s, nextval(%4$L)), n.properties::text::ag_catalog.agtype
            FROM cognifold.projected_nodes($1) AS n WHERE n.kind = %2$L
            $insert$, graph, label, ag_catalog._label_id(graph, label), format('%I.%I', graph, label || '_id_seq'))
        USING tenant;
        GET DIAGNOSTICS number = ROW_COUNT;
        stored := stored + number;
        EXECUTE format('ANALYZE %I.%I', graph, label);
    END LOOP;
    FOR label IN SELECT DISTINCT e.type FROM cognifold.graph_edge AS e WHERE e.tenant_id = tenant LOOP
        EXECUTE format(
            $insert$
            INSERT INTO %1$I.%2$I (id, start_id, end_id, properties)
            WITH vertex AS MATERIALIZED (
                SELECT v.id AS place, ag_catalog.agtype_access_operator(VARIADIC ARRAY[v.properties, '"id"'::ag_catalog.agtype])::text::uuid AS id
                FROM %1$I._ag_label_vertex AS v
            )
            SELECT ag_catalog._graphid(%3$s, nextval(%4$L)), s.place, t.place, e.properties::text::ag_catalog.agtype
            FROM cognifold.projected_edges($1) AS e
            JOIN vertex AS s ON s.id = e.source_id
            JOIN vertex AS t ON t.id = e.target_id
            WHERE e.type = %2$L
            $insert$, graph, label, ag_catalog._label_id(graph, label), format('%I.%I', graph, label || '_id_seq'))
        USING tenant;
        GET DIAGNOSTICS number = ROW_COUNT;
        stored := stored + number;
        EXECUTE format('ANALYZE %I.%I', graph, label);
    END LOOP;
    UPDATE cognifold.graph_projection AS p SET version = upto, stale = false, synced_at = clock_timestamp() WHERE p.tenant_id = tenant;
    RETURN stored;
END
$$;
COMMENT ON FUNCTION cognifold.age_rebuild(text) IS 'Empties the tenant''s graph and fills it from the tables; returns how many nodes and edges it has now. Internal: graph_rebuild calls it.';
