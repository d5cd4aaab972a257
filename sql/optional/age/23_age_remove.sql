-- age_remove: takes vertices out of a graph, with every edge at them.
CREATE OR REPLACE FUNCTION cognifold.age_remove(graph name, nodes uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET enable_seqscan = off
AS $$
DECLARE
    at ag_catalog.graphid[] := (cognifold.age_places(graph, nodes)).places;
BEGIN
    IF at <> '{}' THEN
        EXECUTE format('DELETE FROM %I._ag_label_edge AS e USING unnest($1) AS v (id) WHERE e.start_id = v.id', graph) USING at;
        EXECUTE format('DELETE FROM %I._ag_label_edge AS e USING unnest($1) AS v (id) WHERE e.end_id = v.id', graph) USING at;
        EXECUTE format('DELETE FROM %I._ag_label_vertex AS e USING unnest($1) AS v (id) WHERE e.id = v.id', graph) USING at;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.age_remove(name, uuid[]) IS 'Takes the vertices of these nodes out of a graph, with the edges at them. Internal.';
