-- near_of_kind: the concepts, or the events, that are nearest to each of some vectors.
--
-- Exact where the memory has few of that kind. Where it has more than vector.exact, by the index (of concepts by one of their own), so
-- that the cost of a pass follows what changed and not what there is, and one by one among the newest, which wait in vector_tail.
CREATE OR REPLACE FUNCTION cognifold.near_of_kind(
    tenant text, kind text, ids uuid[], vectors halfvec[], bar double precision, maximum integer
) RETURNS TABLE (asking uuid, neighbour uuid, cosine numeric)
LANGUAGE plpgsql STABLE ROWS 100
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    own    cognifold.embedding_model := cognifold.tenant_model(tenant);
    before text[];
BEGIN
    IF cognifold.vector_route(tenant, own.model_id, ARRAY[kind]) = 'exact' THEN
        RETURN QUERY
        WITH standing AS MATERIALIZED (
            SELECT e.node_id, e.vector FROM cognifold.embedding AS e
            WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = kind
        )
        SELECT a.id, n.node_id, n.cosine
        FROM unnest(ids, vectors) AS a (id, vector)
        CROSS JOIN LATERAL (
            SELECT s.node_id, round((-(a.vector <#> s.vector))::numeric, 9) AS cosine
            FROM standing AS s
            WHERE s.node_id <> a.id AND -(a.vector <#> s.vector) >= bar
            ORDER BY a.vector <#> s.vector, s.node_id LIMIT maximum
        ) AS n;
        RETURN;
    END IF;

    -- As near_vectors does: set and set back.
    before := ARRAY[current_setting('hnsw.ef_search', true), current_setting('hnsw.max_scan_tuples', true),
                    current_setting('hnsw.iterative_scan', true), current_setting('enable_sort')];
    PERFORM set_config('hnsw.ef_search', greatest(cognifold.setting('consolidate.search', tenant), maximum + 1)::integer::text, true),
            set_config('hnsw.max_scan_tuples', cognifold.setting('vector.scan', tenant)::integer::text, true),
            set_config('hnsw.iterative_scan', 'relaxed_order', true),
            set_config('enable_sort', 'off', true);   -- the order of the index
    RETURN QUERY EXECUTE format($query$
        WITH tail AS MATERIALIZED (
            SELECT t.node_id, t.place FROM cognifold.vector_tail AS t WHERE t.tenant_id = $1 AND t.model_id = $2 AND t.kind = %3$L
        ), asking AS MATERIALIZED (
            SELECT a.id, a.vector, (a.vector || c.signature)::halfvec(%2$s) AS place
            FROM unnest($3, $4) AS a (id, vector)
            JOIN cognifold.vector_count AS c ON c.tenant_id = $1 AND c.model_id = $2
        )
        SELECT a.id, f.node_id, f.cosine
        FROM asking AS a
        CROSS JOIN LATERAL (
            SELECT p.node_id, p.cosine
            FROM (
                SELECT n.node_id, round((-(a.vector <#> subvector(n.place, 1, %1$s)))::numeric, 9) AS cosine
                FROM ((SELECT i.node_id, i.place FROM cognifold.vector_index AS i
                       WHERE i.tenant_id = $1 AND i.model_id = $2 AND i.kind = %3$L AND i.dimensions = %1$s
                       ORDER BY i.place::halfvec(%2$s) <#> a.place LIMIT $6 + 1)
                      UNION ALL
                      -- With itself a signature makes 1/4; no row near enough is lost to how that is rounded.
                      (SELECT t.node_id, t.place FROM tail AS t WHERE t.place <#> a.place <= 0.001 - 0.25 - $5)) AS n
                WHERE n.node_id <> a.id
            ) AS p
            WHERE p.cosine >= $5
            ORDER BY p.cosine DESC, p.node_id LIMIT $6
        ) AS f$query$, own.dimensions, own.dimensions + 16, kind)
    USING tenant, own.model_id, ids, vectors, bar, maximum;
    PERFORM set_config('hnsw.ef_search', before[1], true), set_config('hnsw.max_scan_tuples', before[2], true),
            set_config('hnsw.iterative_scan', before[3], true), set_config('enable_sort', before[4], true);
END
$$;
COMMENT ON FUNCTION cognifold.near_of_kind(text, text, uuid[], halfvec[], double precision, integer) IS
    'For each id, whose vector is the one in the same place, up to maximum other nodes of a kind (concept, event) whose cosine to it is at least bar, the nearest: exactly in memories of up to vector.exact of that kind, else by the index, which misses one now and then, and exactly among what is not indexed yet. Internal: steps of a pass.';
