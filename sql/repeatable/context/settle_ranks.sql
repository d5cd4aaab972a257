-- settle_ranks: brings the stored ranks up to date with the edges that changed, at a cost that follows the change.
--
-- rank = 1 + damping * (sum of share * rank over the arcs in) has one solution, proportional to PageRank: the jump and the rank of
-- nodes that point nowhere, both spread evenly, only scale it. A source that passes its rank on differently changes its targets'
-- ranks; what has come to a node and was not passed on by it is its residual, and one above the bar is passed on (Berkhin 2006,
-- signed). What a node passes on is then missing in nobody but its targets: no rank is off by more than the bar's share of what it
-- has from others, whatever the graph.
CREATE OR REPLACE FUNCTION cognifold.settle_ranks(
    tenant text, maximum bigint DEFAULT NULL, enough integer DEFAULT 1, OUT changed bigint, OUT pushed bigint, OUT waiting bigint
)
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
-- A few rows are looked up by their keys, whatever the memory held when the statements were planned.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    most     bigint;
    damping  double precision;
    bar      double precision;
    reach    double precision;  -- what a residual must exceed in this round
    clock    timestamptz;
    episodic double precision;
    semantic double precision;
    dirty    uuid[];
    gone     uuid[];
    nodes    uuid[];              -- which residuals move,
    deltas   double precision[];  -- and by how much
    passed   bigint;
BEGIN
    changed := 0;
    pushed := 0;
    waiting := 0;
    IF (SELECT count(*) FROM (SELECT FROM cognifold.rank_dirty AS d WHERE d.tenant_id = tenant LIMIT enough) AS d) < enough THEN
        RETURN;   -- the usual end: nearly every plan asks
    END IF;
    most := coalesce(maximum, cognifold.setting('pagerank.pushes', tenant)::bigint);
    damping := cognifold.setting('pagerank.damping', tenant);
    bar := cognifold.setting('pagerank.residual', tenant);
    clock := cognifold.now();
    episodic := cognifold.decay_integral(tenant, 'episodic', clock);
    semantic := cognifold.decay_integral(tenant, 'semantic', clock);
    WITH taken AS (
        DELETE FROM cognifold.rank_dirty AS d WHERE d.tenant_id = tenant RETURNING d.node_id
    )
    SELECT array_agg(t.node_id ORDER BY t.node_id) INTO dirty FROM taken AS t;
    gone := ARRAY(
        SELECT d.id FROM unnest(dirty) AS d (id)
        WHERE NOT EXISTS (SELECT FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = d.id AND n.merged_into IS NULL));

    WITH source AS MATERIALIZED (
        SELECT d.id, coalesce(k.rank - k.residual, 1) AS passed, coalesce(k.residual, 0) AS residual, a.targets, a.shares
        FROM unnest(dirty) AS d (id)
        LEFT JOIN LATERAL (
            SELECT r.rank, r.residual FROM cognifold.node_rank AS r WHERE r.tenant_id = tenant AND r.node_id = d.id LIMIT 1
        ) AS k ON true
        LEFT JOIN LATERAL (
            SELECT r.targets, r.shares FROM cognifold.rank_arc AS r WHERE r.tenant_id = tenant AND r.node_id = d.id LIMIT 1
        ) AS a ON true
    ), differing AS MATERIALIZED (
        SELECT s.*, f.targets AS new_targets, f.shares AS new_shares
        FROM source AS s
        CROSS JOIN LATERAL (
            SELECT array_agg(t.target ORDER BY t.target) AS targets, array_agg(t.share ORDER BY t.target) AS shares
            FROM (
                SELECT m.target, sum(m.mass ORDER BY m.mass) / sum(sum(m.mass ORDER BY m.mass)) OVER () AS share
                FROM (
                    SELECT e.target_id AS target, cognifold.mass(e.potential, CASE e.rate WHEN 'episodic' THEN episodic ELSE semantic END) AS mass
                    FROM cognifold.graph_edge AS e
                    WHERE e.tenant_id = tenant AND e.source_id = s.id AND e.faded_at IS NULL
                    UNION ALL
                    SELECT e.source_id, cognifold.mass(e.potential, CASE e.rate WHEN 'episodic' THEN episodic ELSE semantic END)
                    FROM cognifold.graph_edge AS e
                    WHERE e.tenant_id = tenant AND e.target_id = s.id AND e.bidirectional AND e.faded_at IS NULL
                ) AS m
                GROUP BY m.target
            ) AS t
        ) AS f
        WHERE (s.targets, s.shares) IS DISTINCT FROM (f.targets, f.shares)
    ), stored AS (
        INSERT INTO cognifold.rank_arc AS r (tenant_id, node_id, targets, shares)
        SELECT tenant, d.id, d.new_targets, d.new_shares FROM differing AS d WHERE d.new_targets IS NOT NULL
        ON CONFLICT ON CONSTRAINT rank_arc_pkey DO UPDATE SET targets = excluded.targets, shares = excluded.shares
    ), dropped AS (
        DELETE FROM cognifold.rank_arc AS r USING differing AS d
        WHERE r.tenant_id = tenant AND r.node_id = d.id AND d.new_targets IS NULL
    ), delta AS (
        SELECT t.target, -damping * d.passed * t.share AS delta
        FROM differing AS d CROSS JOIN LATERAL unnest(d.targets, d.shares) AS t (target, share)
        UNION ALL
        SELECT t.target, damping * d.passed * t.share
        FROM differing AS d CROSS JOIN LATERAL unnest(d.new_targets, d.new_shares) AS t (target, share)
        UNION ALL   -- what an earlier call has left
        SELECT s.id, 0 FROM source AS s WHERE abs(s.residual) > bar
    )
    SELECT array_agg(s.target), array_agg(s.delta), (SELECT count(*) FROM differing) INTO nodes, deltas, changed
    FROM (SELECT t.target, sum(t.delta ORDER BY t.delta) AS delta FROM delta AS t WHERE t.target <> ALL (gone) GROUP BY t.target) AS s;
    DELETE FROM cognifold.node_rank AS k WHERE k.tenant_id = tenant AND k.node_id = ANY (gone);

    WHILE nodes IS NOT NULL LOOP
        reach := CASE WHEN pushed < most THEN bar ELSE 'infinity' END;
        WITH found AS MATERIALIZED (
            SELECT i.id, k.place, coalesce(k.rank, 1) + i.delta AS rank, coalesce(k.residual, 0) + i.delta AS residual
            FROM unnest(nodes, deltas) AS i (id, delta)
            LEFT JOIN LATERAL (
                SELECT r.ctid AS place, r.rank, r.residual FROM cognifold.node_rank AS r WHERE r.tenant_id = tenant AND r.node_id = i.id LIMIT 1
            ) AS k ON true
        ), moved AS MATERIALIZED (
            SELECT f.id, f.place, f.rank, CASE WHEN abs(f.residual) > reach THEN 0 ELSE f.residual END AS residual
            FROM found AS f
        ), updated AS (   -- by their place: they were looked up a moment ago, and nobody else writes here in this turn
            UPDATE cognifold.node_rank AS k SET rank = m.rank, residual = m.residual
            FROM moved AS m WHERE k.ctid = m.place AND k.tenant_id = tenant AND k.node_id = m.id
        ), made AS (
            INSERT INTO cognifold.node_rank (tenant_id, node_id, rank, residual)
            SELECT tenant, m.id, m.rank, m.residual FROM moved AS m WHERE m.place IS NULL
        ), left_over AS (
            INSERT INTO cognifold.rank_dirty (tenant_id, node_id)
            SELECT tenant, f.id FROM found AS f WHERE abs(f.residual) > bar AND abs(f.residual) <= reach
            RETURNING node_id
        ), incoming AS (
            SELECT t.target, sum(damping * f.residual * t.share ORDER BY f.residual * t.share) AS delta
            FROM found AS f
            CROSS JOIN LATERAL (
                SELECT r.targets, r.shares FROM cognifold.rank_arc AS r WHERE r.tenant_id = tenant AND r.node_id = f.id LIMIT 1
            ) AS a
            CROSS JOIN LATERAL unnest(a.targets, a.shares) AS t (target, share)
            WHERE abs(f.residual) > reach
            GROUP BY t.target
        )
        SELECT array_agg(i.target), array_agg(i.delta),
               (SELECT count(*) FROM found AS f WHERE abs(f.residual) > reach), (SELECT count(*) FROM left_over)
        INTO nodes, deltas, passed, waiting
        FROM incoming AS i;
        pushed := pushed + passed;
    END LOOP;
END
$$;
COMMENT ON FUNCTION cognifold.settle_ranks(text, bigint, integer) IS
    'Compares the edges out of the nodes in rank_dirty with rank_arc and corrects node_rank, passing on residuals above pagerank.residual till none is left or about maximum (NULL: pagerank.pushes) were passed on; does nothing with fewer than enough nodes there. changed: sources that pass their rank on differently; pushed: residuals passed on; waiting: nodes left in rank_dirty for the next call. The caller holds the tenant''s turn. Internal.';
