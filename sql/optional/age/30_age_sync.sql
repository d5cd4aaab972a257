-- age_sync: brings what the next plans have changed to what the tables say now, in the graph.
--
-- A plan's version is given under the tenant's turn, which is held till it commits: plans become visible in the order of their
-- versions, and all that changes nodes and edges stands in their journals. So a version is a place in the feed that nothing
-- can still come before. Only which rows changed is taken from the journal; how they are now is read from the tables: a
-- plan that is seen twice, or whose rows a later plan has changed again, does no harm.
CREATE OR REPLACE FUNCTION cognifold.age_sync(tenant text, max_changes integer) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    shown   cognifold.graph_projection;
    graph   name;
    upto    bigint;
    carried bigint;
    nodes   uuid[];
    sources uuid[];
    targets uuid[];
    types   text[];
    known   uuid[];
    places  ag_catalog.graphid[];
    label   text;
BEGIN
    SELECT p.* INTO shown FROM cognifold.graph_projection AS p WHERE p.tenant_id = tenant FOR UPDATE;
    graph := shown.graph_name;
    IF shown.stale THEN
        RETURN cognifold.age_rebuild(tenant);
    END IF;
    SELECT max(f.version), max(f.running) INTO upto, carried
    FROM (
        SELECT p.version, row_number() OVER w AS place, sum(greatest(j.number, 1)) OVER w AS running
        FROM (SELECT q.version, q.plan_id FROM cognifold.plan AS q
              WHERE q.tenant_id = tenant AND q.version > shown.version ORDER BY q.version LIMIT max_changes) AS p
        CROSS JOIN LATERAL (
            SELECT count(*) AS number FROM cognifold.journal AS j
            WHERE j.tenant_id = tenant AND j.plan_id = p.plan_id AND j.relation IN ('node', 'graph_edge', 'folded_event')) AS j
        WINDOW w AS (ORDER BY p.version)
    ) AS f
    WHERE f.place = 1 OR f.running <= max_changes;
    IF upto IS NULL THEN
        RETURN 0;
    END IF;

    SELECT array_agg(DISTINCT e.source), array_agg(DISTINCT e.source) INTO nodes, sources
    FROM cognifold.plan AS p
    JOIN cognifold.journal AS j ON j.tenant_id = tenant AND j.plan_id = p.plan_id AND j.relation IN ('node', 'graph_edge', 'folded_event')
    CROSS JOIN LATERAL (VALUES (j.node_id), (CASE j.relation WHEN 'graph_edge' THEN j.other_id END)) AS e (source)
    WHERE p.tenant_id = tenant AND p.version > shown.version AND p.version <= upto AND e.source IS NOT NULL;
    SELECT array_agg(e.source), array_agg(e.target), array_agg(e.type) INTO sources, targets, types
    FROM (SELECT DISTINCT j.node_id, j.other_id, j.part
          FROM cognifold.plan AS p
          JOIN cognifold.journal AS j ON j.tenant_id = tenant AND j.plan_id = p.plan_id AND j.relation = 'graph_edge'
          WHERE p.tenant_id = tenant AND p.version > shown.version AND p.version <= upto) AS e (source, target, type);

    IF nodes IS NOT NULL THEN
        IF EXISTS (SELECT FROM unnest(types) AS t (type) WHERE to_regclass(format('%I.%I', graph, t.type)) IS NULL) THEN
            PERFORM cognifold.age_labels(graph);
        END IF;
        -- 1. Nodes that are no more, with all edges at them.
        PERFORM cognifold.age_remove(graph, ARRAY(
            SELECT n.id FROM unnest(nodes) AS n (id)
            WHERE NOT EXISTS (SELECT FROM cognifold.projected_nodes(tenant) AS w WHERE w.id = n.id)));
        -- 2. Nodes as they are now.
        SELECT p.known, p.places INTO known, places FROM cognifold.age_places(graph, nodes) AS p;
        PERFORM cognifold.age_renew(tenant, graph, known, places);
        FOR label IN SELECT DISTINCT n.kind FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = ANY (nodes) LOOP
            EXECUTE format(
                $insert$
                INSERT INTO %1$I.%2$I (id, properties)
                SELECT ag_catalog._graphid(%3$s, nextval(%4$L)), n.properties::text::ag_catalog.agtype
                FROM (SELECT unnest($2) AS id EXCEPT SELECT unnest($3)) AS missing
                JOIN cognifold.projected_nodes($1) AS n ON n.id = missing.id AND n.kind = %2$L
                $insert$, graph, label, ag_catalog._label_id(graph, label), format('%I.%I', graph, label || '_id_seq'))
            USING tenant, nodes, known;
        END LOOP;
        -- 3. Edges as they are now: out with each that was touched, and in again if it lives.
        SELECT p.known, p.places INTO known, places FROM cognifold.age_places(graph, nodes) AS p;
        FOR label IN SELECT DISTINCT t.type FROM unnest(types) AS t (type) LOOP
            EXECUTE format(
                $delete$
                DELETE FROM %1$I.%2$I AS e
                USING (SELECT s.place AS start_id, t.place AS end_id
                       FROM unnest($1, $2, $3) AS c (source, target, type)
                       JOIN unnest($4, $5) AS s (id, place) ON s.id = c.source
                       JOIN unnest($4, $5) AS t (id, place) ON t.id = c.target
                       WHERE c.type = %2$L) AS w
                WHERE e.start_id = w.start_id AND e.end_id = w.end_id
                $delete$, graph, label)
            USING sources, targets, types, known, places;
            EXECUTE format(
                $insert$
                INSERT INTO %1$I.%2$I (id, start_id, end_id, properties)
                SELECT ag_catalog._graphid(%3$s, nextval(%4$L)), s.place, t.place, e.properties::text::ag_catalog.agtype
                FROM unnest($1, $2, $3) AS c (source, target, type)
                JOIN unnest($4, $5) AS s (id, place) ON s.id = c.source
                JOIN unnest($4, $5) AS t (id, place) ON t.id = c.target
                JOIN cognifold.projected_edges($6) AS e ON e.source_id = c.source AND e.target_id = c.target AND e.type = c.type
                WHERE c.type = %2$L
                $insert$, graph, label, ag_catalog._label_id(graph, label), format('%I.%I', graph, label || '_id_seq'))
            USING sources, targets, types, known, places, tenant;
        END LOOP;
    END IF;
    UPDATE cognifold.graph_projection AS p SET version = upto, synced_at = clock_timestamp() WHERE p.tenant_id = tenant;
    RETURN carried;
END
$$;
COMMENT ON FUNCTION cognifold.age_sync(text, integer) IS
    'Carries whole plans of together at most max_changes changes over to the tenant''s graph (one plan at least) and returns how many changes that were; fills the graph anew where it is stale. Internal: graph_sync calls it.';
