-- replay_events: the events of the window are replayed, scored by how far they are tied in, and move on in their states.
CREATE OR REPLACE FUNCTION cognifold.replay_events(tenant text, as_of timestamptz) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    settings jsonb := cognifold.settings(tenant);
    idle     interval := make_interval(secs => 3600 * (settings ->> 'consolidate.idle_hours')::double precision);
    last_day CONSTANT timestamptz := '200000-01-01 00:00:00+00';  -- beyond it, adding to a time may end the calendar
    next     timestamptz := as_of + interval '1 microsecond';  -- any later pass
    episodic double precision := cognifold.decay_integral(tenant, 'episodic', as_of);
    semantic double precision := cognifold.decay_integral(tenant, 'semantic', as_of);
    fade     double precision := ln((settings ->> 'edge.fade')::double precision);
    archived jsonb;
    replayed jsonb;
BEGIN
    -- Consolidated events that lie idle. Those asked for since are looked at when that is long ago; those asked for often, never.
    WITH due AS MATERIALIZED (
        SELECT s.node_id, s.access_count, least(greatest(s.last_accessed, n.occurred_at), last_day) + idle AS idle_at
        FROM cognifold.node_state AS s
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = s.node_id
        WHERE s.tenant_id = tenant AND s.due_at <= as_of AND s.consolidation_state = 'consolidated'
    ), changed AS (
        UPDATE cognifold.node_state AS s
        SET consolidation_state = CASE WHEN d.access_count < (settings ->> 'consolidate.idle_accesses')::bigint AND d.idle_at <= as_of
                                       THEN 'archived' ELSE s.consolidation_state END,
            due_at = CASE WHEN d.access_count < (settings ->> 'consolidate.idle_accesses')::bigint AND d.idle_at > as_of THEN d.idle_at END
        FROM due AS d
        WHERE s.tenant_id = tenant AND s.node_id = d.node_id
        RETURNING s.consolidation_state
    )
    SELECT jsonb_build_object('events_archived', count(*) FILTER (WHERE c.consolidation_state = 'archived')) INTO archived FROM changed AS c;

    WITH shown AS MATERIALIZED (
        SELECT d.node_id FROM cognifold.consolidation_dirty AS d WHERE d.tenant_id = tenant AND d.kind = 'event'
        UNION
        SELECT s.node_id FROM cognifold.node_state AS s
        WHERE s.tenant_id = tenant AND s.due_at <= as_of AND s.consolidation_state = 'consolidating'
    ), tied AS MATERIALIZED (
        SELECT w.node_id, 1 - exp(-least(l.weight, 1000) / 2) AS score, l.edges > 0 AS is_linked
        FROM shown AS w
        CROSS JOIN LATERAL (
            SELECT count(*) AS edges,
                   coalesce(sum(least(1, cognifold.mass(e.potential, CASE e.rate WHEN 'episodic' THEN episodic ELSE semantic END))
                                ORDER BY e.potential, e.other)
                            FILTER (WHERE e.other_kind = 'concept' OR o.consolidation_state IN ('consolidated', 'archived')), 0) AS weight
            FROM (
                SELECT g.target_id AS other, g.target_kind AS other_kind, g.rate, g.potential FROM cognifold.graph_edge AS g
                WHERE g.tenant_id = tenant AND g.source_id = w.node_id AND g.faded_at IS NULL
                UNION ALL
                SELECT g.source_id, g.source_kind, g.rate, g.potential FROM cognifold.graph_edge AS g
                WHERE g.tenant_id = tenant AND g.target_id = w.node_id AND g.faded_at IS NULL
            ) AS e
            LEFT JOIN cognifold.node_state AS o ON e.other_kind = 'event' AND o.tenant_id = tenant AND o.node_id = e.other
            WHERE e.potential >= fade + CASE e.rate WHEN 'episodic' THEN episodic ELSE semantic END
        ) AS l
    ), step AS MATERIALIZED (   -- at most one step of state a pass
        SELECT t.node_id, t.score, t.is_linked, b.state AS before,
               CASE WHEN b.state = 'fresh' THEN 'consolidating'
                    WHEN b.state = 'consolidating' AND t.score > (settings ->> 'consolidate.integrated')::double precision THEN 'consolidated'
                    ELSE b.state END AS after,
               least(greatest(s.last_accessed, n.occurred_at), last_day) + idle AS idle_at, s.due_at
        FROM tied AS t
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = t.node_id
        LEFT JOIN cognifold.node_state AS s ON s.tenant_id = tenant AND s.node_id = t.node_id
        CROSS JOIN LATERAL (SELECT coalesce(s.consolidation_state, 'fresh') AS state) AS b
    ), written AS (
        INSERT INTO cognifold.node_state AS s (tenant_id, node_id, replay_count, integration_score, consolidation_state, due_at)
        SELECT tenant, p.node_id, 1, p.score, p.after,
               CASE WHEN p.after = 'consolidating' THEN CASE WHEN p.is_linked THEN next END  -- without a live link nothing can change by itself
                    WHEN p.before <> p.after THEN greatest(p.idle_at, next)
                    ELSE p.due_at END
        FROM step AS p
        ON CONFLICT ON CONSTRAINT node_state_pkey DO UPDATE
            SET replay_count = s.replay_count + 1, integration_score = excluded.integration_score,
                consolidation_state = excluded.consolidation_state, due_at = excluded.due_at
    )
    SELECT jsonb_build_object(
               'events_replayed', count(*),
               'events_consolidating', count(*) FILTER (WHERE p.before = 'fresh'),
               'events_consolidated', count(*) FILTER (WHERE p.before = 'consolidating' AND p.after = 'consolidated'))
    INTO replayed FROM step AS p;

    DELETE FROM cognifold.consolidation_dirty AS d WHERE d.tenant_id = tenant AND d.kind = 'event';
    RETURN replayed || archived;
END
$$;
COMMENT ON FUNCTION cognifold.replay_events(text, timestamptz) IS
    'Replays the events folded or newly grounded since the last pass and those still consolidating while they have a live edge: replay_count + 1, integration_score = 1 - exp(-(live weight to concepts and consolidated events) / 2), one step of state; archives consolidated events that lie idle. Returns counts. Internal: consolidate calls it.';
