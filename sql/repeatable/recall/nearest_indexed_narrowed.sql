-- nearest_indexed_narrowed: as nearest_indexed, passing over what lies outside a narrowing.
CREATE OR REPLACE FUNCTION cognifold.nearest_indexed_narrowed(text, smallint, halfvec, cognifold.narrowing, integer, halfvec)
RETURNS TABLE (node_id uuid, cosine double precision)
LANGUAGE sql STABLE ROWS 100
AS $$
    SELECT f.node_id, 1 - (subvector(f.place, 1, 256) <=> $3) AS cosine
    FROM ((SELECT i.node_id, i.place
           FROM cognifold.vector_index AS i
           CROSS JOIN LATERAL (   -- LIMIT 1: by its key, never all nodes of the tenant for each vector
               SELECT n.* FROM cognifold.node AS n WHERE n.tenant_id = $1 AND n.id = i.node_id LIMIT 1) AS n
           WHERE i.tenant_id = $1 AND i.model_id = $2 AND i.kind = ANY (($4).kinds) AND i.dimensions = 256
             AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, $4)
           ORDER BY i.place::halfvec(272) <#> $6::halfvec(272)
           LIMIT $5)
          UNION ALL
          (SELECT t.node_id, t.place
           FROM cognifold.vector_tail AS t
           CROSS JOIN LATERAL (SELECT n.* FROM cognifold.node AS n WHERE n.tenant_id = $1 AND n.id = t.node_id LIMIT 1) AS n
           WHERE t.tenant_id = $1 AND t.model_id = $2 AND t.kind = ANY (($4).kinds)
             AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, $4)
           ORDER BY t.place <#> $6
           LIMIT $5)) AS f
$$;
COMMENT ON FUNCTION cognifold.nearest_indexed_narrowed(text, smallint, halfvec, cognifold.narrowing, integer, halfvec) IS
    'As nearest_indexed, of the nodes within the narrowing; the scan of the index goes on until it has found depth of them or seen vector.scan entries. Internal.';
