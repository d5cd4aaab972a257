-- restart_ranks: computes the stored ranks of a tenant anew from its live edges, whatever was stored before.
CREATE OR REPLACE FUNCTION cognifold.restart_ranks(tenant text) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET enable_nestloop = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    damping double precision := cognifold.setting('pagerank.damping', tenant);
    bar     double precision := cognifold.setting('pagerank.residual', tenant);
    sources bigint;
BEGIN
    DELETE FROM cognifold.rank_dirty AS d WHERE d.tenant_id = tenant;
    DELETE FROM cognifold.rank_arc AS a WHERE a.tenant_id = tenant;
    DELETE FROM cognifold.node_rank AS k WHERE k.tenant_id = tenant;
    INSERT INTO cognifold.rank_arc (tenant_id, node_id, targets, shares)
    SELECT tenant, s.source_id, array_agg(s.target_id ORDER BY s.target_id), array_agg(s.share ORDER BY s.target_id)
    FROM cognifold.live_shares(tenant, NULL, 0) AS s
    GROUP BY s.source_id;
    GET DIAGNOSTICS sources = ROW_COUNT;

    WITH computed AS MATERIALIZED (
        SELECT r.node_id, r.rank FROM cognifold.whole_ranks(tenant, NULL, 0, bar / 1000) AS r
    ), received AS (
        SELECT t.target, sum(t.share * coalesce(c.rank, 1)) AS rank
        FROM cognifold.rank_arc AS a
        LEFT JOIN computed AS c ON c.node_id = a.node_id
        CROSS JOIN LATERAL unnest(a.targets, a.shares) AS t (target, share)
        WHERE a.tenant_id = tenant
        GROUP BY t.target
    ), stored AS (
        INSERT INTO cognifold.node_rank (tenant_id, node_id, rank, residual)
        SELECT tenant, c.node_id, 1 + damping * r.rank, 1 + damping * r.rank - c.rank
        FROM computed AS c JOIN received AS r ON r.target = c.node_id
        RETURNING node_id, residual
    )
    INSERT INTO cognifold.rank_dirty (tenant_id, node_id)
    SELECT tenant, s.node_id FROM stored AS s WHERE abs(s.residual) > bar;
    RETURN sources;
END
$$;
COMMENT ON FUNCTION cognifold.restart_ranks(text) IS
    'Empties node_rank, rank_arc and rank_dirty of the tenant and fills them from its live edges; what exceeds pagerank.residual afterwards is in rank_dirty. Returns the number of nodes with edges out. Internal: refresh_ranks calls it.';
