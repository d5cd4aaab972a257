-- attracting: which of these nodes open intents draw attention to at a moment, and how strongly.
CREATE OR REPLACE FUNCTION cognifold.attracting(
    tenant text, node_ids uuid[], types text[], clock timestamptz, known_at timestamptz, settings jsonb
) RETURNS TABLE (node_id uuid, pull double precision)
LANGUAGE plpgsql STABLE ROWS 5
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
#variable_conflict use_variable
DECLARE
    length   double precision;
    deferred double precision;
BEGIN
    -- Where no intent ever was, and for an event that is no borderline case, it costs next to nothing.
    IF node_ids IS NULL OR node_ids = '{}'
       OR NOT EXISTS (SELECT FROM cognifold.intent_state AS s WHERE s.tenant_id = tenant) THEN
        RETURN;
    END IF;
    length := settings -> 'intent.attraction_half_life';
    deferred := settings -> 'intent.attraction_deferred';
    RETURN QUERY
    WITH former_edge AS MATERIALIZED (   -- the journal remembers what plans since then have changed
        SELECT i.node_id, i.other_id, i.part, i.image
        FROM cognifold.images_since(tenant, known_at, 'graph_edge') AS i
        WHERE known_at IS NOT NULL AND i.node_id = ANY (node_ids)
    ), tie AS MATERIALIZED (
        SELECT e.source_id, e.target_id
        FROM cognifold.graph_edge AS e
        WHERE e.tenant_id = tenant AND e.source_id = ANY (node_ids) AND e.target_kind = 'intent' AND e.type = ANY (types)
          AND NOT EXISTS (SELECT FROM former_edge AS f WHERE f.node_id = e.source_id AND f.other_id = e.target_id AND f.part = e.type)
        UNION
        SELECT f.node_id, f.other_id FROM former_edge AS f WHERE f.image ->> 'target_kind' = 'intent' AND f.part = ANY (types)
    ), wanted AS (
        SELECT DISTINCT t.target_id FROM tie AS t
    ), former_state AS MATERIALIZED (
        SELECT i.node_id, i.image
        FROM cognifold.images_since(tenant, known_at, 'intent_state') AS i
        WHERE known_at IS NOT NULL AND i.node_id = ANY (ARRAY(SELECT w.target_id FROM wanted AS w))
    ), stand AS (
        SELECT s.node_id, s.status, s.wake_at, s.closed_at, s.expires_at
        FROM wanted AS w
        CROSS JOIN LATERAL (SELECT i.* FROM cognifold.intent_state AS i WHERE i.tenant_id = tenant AND i.node_id = w.target_id LIMIT 1) AS s
        WHERE NOT EXISTS (SELECT FROM former_state AS f WHERE f.node_id = w.target_id)
        UNION ALL
        SELECT s.node_id, s.status, s.wake_at, s.closed_at, s.expires_at
        FROM former_state AS f CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.intent_state, f.image) AS s
        WHERE f.image IS NOT NULL
    ), open AS (
        SELECT s.node_id, CASE v.status WHEN 'pending' THEN 1 WHEN 'scheduled' THEN 1 WHEN 'deferred' THEN deferred ELSE 0 END
               * power(0.5::double precision, least((cognifold.hours(clock) - cognifold.hours(n.occurred_at)) / (24 * length), 1000)) AS pull
        FROM stand AS s
        CROSS JOIN LATERAL (SELECT k.occurred_at, k.recorded_at FROM cognifold.node AS k WHERE k.tenant_id = tenant AND k.id = s.node_id LIMIT 1) AS n
        CROSS JOIN LATERAL (   -- where it has gone further since, the steps up to then say where it stood
            SELECT coalesce(bool_or(t.at > clock), false) AS later,
                   (array_agg(t.to_status ORDER BY t.position DESC) FILTER (WHERE t.at <= clock))[1] AS status,
                   (array_agg(t.wake_at ORDER BY t.position DESC) FILTER (WHERE t.at <= clock))[1] AS wake_at
            FROM cognifold.intent_transition AS t
            WHERE t.tenant_id = tenant AND t.node_id = s.node_id AND (known_at IS NULL OR t.recorded_at <= known_at)
        ) AS p
        CROSS JOIN LATERAL (
            SELECT cognifold.intent_status(CASE WHEN p.later THEN coalesce(p.status, 'pending') ELSE s.status END,
                                           CASE WHEN p.later THEN p.wake_at ELSE s.wake_at END, s.expires_at, clock) AS status
        ) AS v
        WHERE n.occurred_at <= clock AND (s.closed_at IS NULL OR s.closed_at > clock) AND (known_at IS NULL OR n.recorded_at <= known_at)
    )
    SELECT t.source_id, max(o.pull)
    FROM tie AS t JOIN open AS o ON o.node_id = t.target_id
    WHERE o.pull > 0
    GROUP BY t.source_id;
END
$$;
COMMENT ON FUNCTION cognifold.attracting(text, uuid[], text[], timestamptz, timestamptz, jsonb) IS
    'Of the nodes those with an edge of the types to an intent that is open at clock, as known at known_at (NULL: now), each with its pull in (0, 1]: 1 for a pending or scheduled intent, setting intent.attraction_deferred for a deferred one, halved every intent.attraction_half_life days of the intent''s age; of several intents the strongest. Computed, never written. Internal: the SQL planner and recall ask for it.';
