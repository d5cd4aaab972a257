-- nearest_among: the nearest of some given nodes' vectors, as far as they lie within a narrowing.
CREATE OR REPLACE FUNCTION cognifold.nearest_among(text, smallint, halfvec, cognifold.narrowing, integer, uuid[])
RETURNS TABLE (node_id uuid, cosine double precision)
LANGUAGE sql STABLE ROWS 100
AS $$
    SELECT f.node_id, 1 - (f.vector <=> $3) AS cosine
    FROM (SELECT e.node_id, e.vector
          FROM pg_catalog.unnest($6) AS c (id)
          CROSS JOIN LATERAL (SELECT n.* FROM cognifold.node AS n WHERE n.tenant_id = $1 AND n.id = c.id LIMIT 1) AS n   -- by its key
          CROSS JOIN LATERAL (SELECT e.* FROM cognifold.embedding AS e WHERE e.tenant_id = $1 AND e.node_id = c.id AND e.model_id = $2 LIMIT 1) AS e
          WHERE e.kind = ANY (($4).kinds)
            AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, $4)
          ORDER BY e.vector <#> $3, e.node_id
          LIMIT $5) AS f
$$;
COMMENT ON FUNCTION cognifold.nearest_among(text, smallint, halfvec, cognifold.narrowing, integer, uuid[]) IS
    'As nearest_exact_narrowed, of the nodes listed: a look-up each. Internal: near_vectors calls it where a narrowing leaves few.';
