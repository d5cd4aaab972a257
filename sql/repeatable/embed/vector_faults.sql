-- vector_faults: where the vectors and their counts and index differ.
CREATE OR REPLACE FUNCTION cognifold.vector_faults(tenant text) RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    RETURN QUERY
    SELECT 'the vectors of a model are counted', coalesce(c.model_id, e.model_id)::text,
           format('kept %s and %s, counted %s and %s', c.events, c.concepts, e.events, e.others)
    FROM (SELECT c.model_id, c.events, c.concepts FROM cognifold.vector_count AS c WHERE c.tenant_id = tenant) AS c
    FULL JOIN (SELECT e.model_id, count(*) FILTER (WHERE e.kind = 'event') AS events, count(*) FILTER (WHERE e.kind <> 'event') AS others
               FROM cognifold.embedding AS e WHERE e.tenant_id = tenant GROUP BY e.model_id) AS e ON e.model_id = c.model_id
    WHERE (coalesce(c.events, 0), coalesce(c.concepts, 0)) IS DISTINCT FROM (coalesce(e.events, 0), coalesce(e.others, 0))
    UNION ALL
    SELECT 'a vector of a large memory is in the index or in the tail', coalesce(e.node_id, x.node_id)::text, format('model %s: %s times', x.model_id, coalesce(x.times, 0))
    FROM (SELECT e.model_id, e.kind, e.node_id, e.vector || c.signature AS place
          FROM cognifold.vector_count AS c JOIN cognifold.embedding AS e ON e.tenant_id = tenant AND e.model_id = c.model_id
          WHERE c.tenant_id = tenant AND c.indexed) AS e
    FULL JOIN (SELECT u.model_id, u.kind, u.node_id, count(*) AS times, (array_agg(u.place))[1] AS place
               FROM (SELECT t.model_id, t.kind, t.node_id, t.place FROM cognifold.vector_tail AS t WHERE t.tenant_id = tenant
                     UNION ALL
                     SELECT i.model_id, i.kind, i.node_id, i.place FROM cognifold.vector_index AS i WHERE i.tenant_id = tenant) AS u
               GROUP BY u.model_id, u.kind, u.node_id) AS x ON x.model_id = e.model_id AND x.kind = e.kind AND x.node_id = e.node_id
    WHERE x.times IS DISTINCT FROM 1 OR e.place IS DISTINCT FROM x.place;
END
$$;
COMMENT ON FUNCTION cognifold.vector_faults(text) IS
    'Counts that are not those of the vectors, and vectors of a large memory that are not once in the index or the tail. Internal: for check.';
