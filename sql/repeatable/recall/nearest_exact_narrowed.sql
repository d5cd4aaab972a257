-- nearest_exact_narrowed: the nearest of all vectors of a tenant that lie within a narrowing, by looking at each.
CREATE OR REPLACE FUNCTION cognifold.nearest_exact_narrowed(text, smallint, halfvec, cognifold.narrowing, integer)
RETURNS TABLE (node_id uuid, cosine double precision)
LANGUAGE sql STABLE ROWS 100
AS $$
    SELECT f.node_id, 1 - (f.vector <=> $3) AS cosine
    FROM (SELECT e.node_id, e.vector
          FROM cognifold.embedding AS e
          CROSS JOIN LATERAL (   -- LIMIT 1: by its key, never all nodes of the tenant for each vector
              SELECT n.* FROM cognifold.node AS n WHERE n.tenant_id = $1 AND n.id = e.node_id LIMIT 1) AS n
          WHERE e.tenant_id = $1 AND e.model_id = $2 AND e.kind = ANY (($4).kinds)
            AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, $4)
          ORDER BY e.vector <#> $3, e.node_id
          LIMIT $5) AS f
$$;
COMMENT ON FUNCTION cognifold.nearest_exact_narrowed(text, smallint, halfvec, cognifold.narrowing, integer) IS
    'As nearest_exact, of the nodes within the narrowing. Internal: near_vectors calls it for small memories, and where the index found too little.';
