-- replay_events: events are replayed, scored by how far they are tied in, and move on in their states.
--
-- A score only falls with time, and a falling score moves nothing. So an event is replayed when a plan has touched its edges, when
-- a neighbour was consolidated (it counts from then on), when a newer event that says the same took its place in their summary, and
-- once more after the score reached the bar; never just because it is there.
CREATE OR REPLACE FUNCTION cognifold.replay_events(tenant text, events uuid[], as_of timestamptz) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    settings     jsonb := cognifold.settings(tenant);
    idle         interval := make_interval(secs => 3600 * (settings ->> 'consolidate.idle_hours')::double precision);
    bar          double precision := (settings ->> 'consolidate.integrated')::double precision;
    often        bigint := (settings ->> 'consolidate.idle_accesses')::bigint;
    last_day     CONSTANT timestamptz := '200000-01-01 00:00:00+00';  -- beyond it, adding to a time may end the calendar
    next         timestamptz := as_of + interval '1 microsecond';  -- any later pass
    episodic     double precision := cognifold.decay_integral(tenant, 'episodic', as_of);
    semantic     double precision := cognifold.decay_integral(tenant, 'semantic', as_of);
    fade         double precision := ln((settings ->> 'edge.fade')::double precision);
    consolidated uuid[];
    woken        uuid[];
    replayed     jsonb;
BEGIN
    WITH tied AS MATERIALIZED (
        SELECT n.id AS node_id, n.occurred_at, 1 - exp(-least(l.weight, 1000) / 2) AS score,
               cognifold.superseded_by(tenant, n.id) IS NOT NULL AS is_superseded
        FROM (SELECT DISTINCT i.id FROM unnest(events) AS i (id)) AS i
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = i.id AND n.kind = 'event'
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(least(1, cognifold.mass(e.potential, CASE e.rate WHEN 'episodic' THEN episodic ELSE semantic END))
                                ORDER BY e.potential, e.other)
                            FILTER (WHERE e.other_kind = 'concept' OR o.consolidation_state IN ('consolidated', 'archived')), 0) AS weight
            FROM (
                SELECT g.target_id AS other, g.target_kind AS other_kind, g.rate, g.potential FROM cognifold.graph_edge AS g
                WHERE g.tenant_id = tenant AND g.source_id = n.id AND g.faded_at IS NULL
                UNION ALL
                SELECT g.source_id, g.source_kind, g.rate, g.potential FROM cognifold.graph_edge AS g
                WHERE g.tenant_id = tenant AND g.target_id = n.id AND g.faded_at IS NULL
            ) AS e
            LEFT JOIN cognifold.node_state AS o ON e.other_kind = 'event' AND o.tenant_id = tenant AND o.node_id = e.other
            WHERE e.potential >= fade + CASE e.rate WHEN 'episodic' THEN episodic ELSE semantic END
        ) AS l
    ), step AS MATERIALIZED (
        SELECT t.node_id, t.score, b.state AS before, a.state AS after,
               CASE WHEN a.state = 'consolidating' THEN
                        CASE WHEN b.state = 'consolidating' AND s.due_at > as_of THEN s.due_at  -- it waits for the next pass already
                             WHEN t.score > bar OR t.is_superseded THEN next END
                    WHEN b.state = 'consolidating' THEN  -- consolidated by this: when it may rest
                        CASE WHEN t.is_superseded THEN next
                             ELSE greatest(least(greatest(s.last_accessed, t.occurred_at), last_day) + idle, next) END
                    WHEN b.state = 'archived' THEN       -- woken: it may rest again after a while, unless it is asked for often
                        CASE WHEN s.access_count < often THEN greatest(least(as_of, last_day) + idle, next) END
                    ELSE s.due_at END AS due_at
        FROM tied AS t
        LEFT JOIN cognifold.node_state AS s ON s.tenant_id = tenant AND s.node_id = t.node_id
        CROSS JOIN LATERAL (SELECT coalesce(s.consolidation_state, 'fresh') AS state OFFSET 0) AS b
        CROSS JOIN LATERAL (
            -- At most one step of state a pass: what is due only after this moment has had its step at it.
            SELECT CASE WHEN b.state = 'fresh' THEN 'consolidating'
                        WHEN b.state = 'consolidating' AND (t.score > bar OR t.is_superseded) AND (s.due_at IS NULL OR s.due_at <= as_of) THEN 'consolidated'
                        WHEN b.state = 'archived' THEN 'consolidated'
                        ELSE b.state END AS state
            OFFSET 0
        ) AS a
    ), written AS (
        INSERT INTO cognifold.node_state AS s (tenant_id, node_id, replay_count, integration_score, consolidation_state, due_at)
        SELECT tenant, p.node_id, 1, p.score, p.after, p.due_at FROM step AS p ORDER BY p.node_id
        ON CONFLICT ON CONSTRAINT node_state_pkey DO UPDATE
            SET replay_count = s.replay_count + 1, integration_score = excluded.integration_score,
                consolidation_state = excluded.consolidation_state, due_at = excluded.due_at
    )
    SELECT jsonb_build_object(
               'events_replayed', count(*),
               'events_consolidating', count(*) FILTER (WHERE p.before = 'fresh'),
               'events_consolidated', count(*) FILTER (WHERE p.before = 'consolidating' AND p.after = 'consolidated'),
               'events_woken', count(*) FILTER (WHERE p.before = 'archived')),
           coalesce(array_agg(p.node_id) FILTER (WHERE p.before = 'consolidating' AND p.after = 'consolidated'), '{}'),
           coalesce(array_agg(p.node_id) FILTER (WHERE p.before = 'archived'), '{}')
    INTO replayed, consolidated, woken
    FROM step AS p;

    -- They count for their neighbours from now on: those still on their way are looked at by the next pass.
    IF cardinality(consolidated) > 0 THEN
        UPDATE cognifold.node_state AS s
        SET due_at = next
        FROM (SELECT g.target_id AS id FROM unnest(consolidated) AS c (id)
              JOIN cognifold.graph_edge AS g ON g.tenant_id = tenant AND g.source_id = c.id AND g.target_kind = 'event' AND g.faded_at IS NULL
              UNION
              SELECT g.source_id FROM unnest(consolidated) AS c (id)
              JOIN cognifold.graph_edge AS g ON g.tenant_id = tenant AND g.target_id = c.id AND g.source_kind = 'event' AND g.faded_at IS NULL) AS o
        WHERE s.tenant_id = tenant AND s.node_id = o.id AND s.consolidation_state = 'consolidating' AND s.due_at IS DISTINCT FROM next;
    END IF;
    -- What was the newest of a summary till one of these came may rest now.
    UPDATE cognifold.node_state AS s
    SET due_at = next
    FROM (SELECT DISTINCT (a.value ->> 'former')::uuid AS id
          FROM unnest(events) AS i (id)
          JOIN cognifold.graph_edge AS g ON g.tenant_id = tenant AND g.source_id = i.id AND g.type IN ('grounds', 'reinforces') AND NOT g.inferred
          JOIN cognifold.annotation AS a ON a.tenant_id = tenant AND a.node_id = g.target_id AND a.name = 'summary'
          WHERE (a.value ->> 'newest')::uuid = i.id) AS f
    WHERE s.tenant_id = tenant AND s.node_id = f.id AND s.consolidation_state IN ('consolidating', 'consolidated') AND coalesce(s.due_at > next, true);
    IF cardinality(woken) > 0 THEN
        PERFORM cognifold.place_content(tenant, woken, false);
    END IF;
    RETURN replayed;
END
$$;
COMMENT ON FUNCTION cognifold.replay_events(text, uuid[], timestamptz) IS
    'Replays these events, changed ones (consolidation_dirty, which the caller clears) or due ones (due_events): replay_count + 1; integration_score = 1 - exp(-(live weight to concepts and consolidated events) / 2) at as_of, which it keeps till the next replay; one step of state a pass: fresh, consolidating, consolidated (score above consolidate.integrated, or superseded_by a newer event that says the same: its summary holds what it has to say). An archived event is consolidated again, and its text hot: it gained evidence by a plan, and may rest again after consolidate.idle_hours, or was asked for consolidate.idle_accesses times and stays. A bar that is lowered is noticed where events are replayed anyway. Returns {events_replayed, events_consolidating, events_consolidated, events_woken}. Internal: a pass calls it, under the tenant''s turn.';
