-- nearest_exact: the nearest of all vectors of a tenant, by looking at each.
CREATE OR REPLACE FUNCTION cognifold.nearest_exact(text, smallint, halfvec, cognifold.narrowing, integer)
RETURNS TABLE (node_id uuid, cosine double precision)
LANGUAGE sql STABLE ROWS 100
-- No SET clause here and below: near_vectors, whose path finds the operators, inlines it and plans it once a session.
AS $$
    SELECT f.node_id, 1 - (f.vector <=> $3) AS cosine
    FROM (SELECT e.node_id, e.vector
          FROM cognifold.embedding AS e
          WHERE e.tenant_id = $1 AND e.model_id = $2 AND e.kind = ANY (($4).kinds)
          ORDER BY e.vector <#> $3, e.node_id   -- all are of length 1: the inner product is the cosine, and cheaper
          LIMIT $5) AS f
$$;
COMMENT ON FUNCTION cognifold.nearest_exact(text, smallint, halfvec, cognifold.narrowing, integer) IS
    'The depth nearest vectors of the tenant and model, of the kinds asked for: one range of the primary key. Internal: near_vectors calls it for small memories.';
