-- age_places: where nodes are in a graph: their vertices' ids.
CREATE OR REPLACE FUNCTION cognifold.age_places(graph name, nodes uuid[], OUT known uuid[], OUT places ag_catalog.graphid[])
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
SET enable_seqscan = off
AS $$
BEGIN
    EXECUTE format(
        $query$
        SELECT coalesce(array_agg(n.id), '{}'), coalesce(array_agg(v.id), '{}')
        FROM unnest($1) AS n (id)
        JOIN %I._ag_label_vertex AS v
          ON ag_catalog.agtype_access_operator(VARIADIC ARRAY[v.properties, '"id"'::ag_catalog.agtype]) = cognifold.age_key(n.id)
        $query$, graph)
    INTO known, places USING nodes;
END
$$;
COMMENT ON FUNCTION cognifold.age_places(name, uuid[]) IS 'Of these nodes those that have a vertex, and its id at the same place. Internal.';
