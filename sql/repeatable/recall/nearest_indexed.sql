-- nearest_indexed: the nearest of a large memory's vectors: by the HNSW index, and one by one those that wait to be indexed.
CREATE OR REPLACE FUNCTION cognifold.nearest_indexed(text, smallint, halfvec, cognifold.narrowing, integer, halfvec)
RETURNS TABLE (node_id uuid, cosine double precision)
LANGUAGE sql STABLE ROWS 100
AS $$
    SELECT f.node_id, 1 - (subvector(f.place, 1, 256) <=> $3) AS cosine
    FROM ((SELECT i.node_id, i.place
           FROM cognifold.vector_index AS i
           WHERE i.tenant_id = $1 AND i.model_id = $2 AND i.kind = ANY (($4).kinds) AND i.dimensions = 256
           ORDER BY i.place::halfvec(272) <#> $6::halfvec(272)
           LIMIT $5)
          UNION ALL
          (SELECT t.node_id, t.place
           FROM cognifold.vector_tail AS t
           WHERE t.tenant_id = $1 AND t.model_id = $2 AND t.kind = ANY (($4).kinds)
           ORDER BY t.place <#> $6
           LIMIT $5)) AS f
$$;
COMMENT ON FUNCTION cognifold.nearest_indexed(text, smallint, halfvec, cognifold.narrowing, integer, halfvec) IS
    'About the depth nearest vectors of 256 dimensions by vector_index, and the depth nearest of vector_tail; the last argument is the question with the tenant''s signature behind it. near_vectors says the same text for other dimensions. Internal.';
