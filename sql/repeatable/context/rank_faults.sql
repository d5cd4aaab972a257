-- rank_faults: where the stored ranks contradict themselves or the live edges. Sound ones return no row.
CREATE OR REPLACE FUNCTION cognifold.rank_faults(tenant text) RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE sql STABLE
SET search_path FROM CURRENT
SET enable_nestloop = off  -- the whole memory joined with the whole memory
SET jit = off
AS $$
    WITH given AS (
        SELECT t.target, sum(t.share * coalesce(k.rank - k.residual, 1)) AS rank
        FROM cognifold.rank_arc AS a
        LEFT JOIN cognifold.node_rank AS k ON k.tenant_id = rank_faults.tenant AND k.node_id = a.node_id
        CROSS JOIN LATERAL unnest(a.targets, a.shares) AS t (target, share)
        WHERE a.tenant_id = rank_faults.tenant
        GROUP BY t.target
    ), missing AS (
        SELECT coalesce(k.node_id, g.target) AS node_id, coalesce(k.rank, 1) AS rank, coalesce(k.residual, 0) AS residual,
               1 + cognifold.setting('pagerank.damping', rank_faults.tenant) * coalesce(g.rank, 0) AS due
        FROM (SELECT r.* FROM cognifold.node_rank AS r WHERE r.tenant_id = rank_faults.tenant) AS k
        FULL JOIN given AS g ON g.target = k.node_id
    ), flowing AS (   -- as settle_ranks takes them: till a pass has taken an edge out, whatever the clock says
        SELECT f.source_id, array_agg(DISTINCT f.target_id ORDER BY f.target_id) AS targets
        FROM (SELECT e.source_id, e.target_id FROM cognifold.graph_edge AS e
              WHERE e.tenant_id = rank_faults.tenant AND e.faded_at IS NULL
              UNION ALL
              SELECT e.target_id, e.source_id FROM cognifold.graph_edge AS e
              WHERE e.tenant_id = rank_faults.tenant AND e.faded_at IS NULL AND e.bidirectional) AS f
        GROUP BY f.source_id
    )
    SELECT 'a rank is what was passed on to it', m.node_id::text, format('rank %s, residual %s, due %s', m.rank, m.residual, m.due)
    FROM missing AS m
    WHERE abs(m.rank - m.due) > 1e-6 * m.rank
    UNION ALL
    SELECT 'rank flows along the live edges', coalesce(a.node_id, f.source_id)::text,
           format('to %s nodes, by the edges to %s', coalesce(cardinality(a.targets), 0), coalesce(cardinality(f.targets), 0))
    FROM (SELECT r.* FROM cognifold.rank_arc AS r WHERE r.tenant_id = rank_faults.tenant) AS a
    FULL JOIN flowing AS f ON f.source_id = a.node_id
    WHERE a.targets IS DISTINCT FROM f.targets
      AND coalesce(a.node_id, f.source_id) NOT IN (SELECT d.node_id FROM cognifold.rank_dirty AS d WHERE d.tenant_id = rank_faults.tenant)
$$;
COMMENT ON FUNCTION cognifold.rank_faults(text) IS
    'Of the stored PageRank: ranks that are not what the arcs in pass on, and nodes whose rank flows otherwise than along their live edges without being in rank_dirty. refresh_ranks(true) mends both. Reads the whole graph. Internal: for check.';
