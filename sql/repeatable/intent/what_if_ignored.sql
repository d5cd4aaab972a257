-- what_if_ignored: what came of it the last time something like this was left alone, event by event, as far as the memory knows.
--
--   the intent's evidence ─► situations: earlier events like it, and what earlier intents of its concepts rested on that were
--   rejected or expired ─► what each of these caused, or preceded while naming the same ─► and so on
--
-- Only edges that were stated are followed. Where there is no such chain there is no row: nothing is made up.
CREATE OR REPLACE FUNCTION cognifold.what_if_ignored(
    intent_id uuid, as_of timestamptz DEFAULT NULL, max_hops integer DEFAULT 4, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (
    situation bigint, step bigint, event_id uuid, title text, occurred_at timestamptz, after interval, relation text, weight double precision,
    hop integer, path uuid[], like_event uuid, because_of uuid, likeness double precision, earlier_intent uuid, outcome text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous   text := cognifold.enter_tenant(tenant);
    settings   jsonb := cognifold.settings(tenant);
    clock      timestamptz := coalesce(as_of, cognifold.now());
    own        cognifold.embedding_model := cognifold.tenant_model(tenant);
    fan_out    CONSTANT integer := 8;   -- edges followed from one event
    depth      CONSTANT integer := 10;  -- likenesses of one event
    grounds    uuid[];
    began      timestamptz;  -- this time
    situations jsonb;
BEGIN
    IF NOT EXISTS (SELECT FROM cognifold.intent_state AS s WHERE s.tenant_id = tenant AND s.node_id = what_if_ignored.intent_id) THEN
        RAISE EXCEPTION 'node % is no intent of tenant "%"', coalesce(what_if_ignored.intent_id::text, 'NULL'), tenant
            USING ERRCODE = 'CF021', HINT = 'SELECT id, title, status FROM cognifold.intent lists them.';
    ELSIF max_hops IS NULL OR max_hops NOT BETWEEN 1 AND 20 THEN
        RAISE EXCEPTION 'what_if_ignored: max_hops = % is not from 1 to 20', coalesce(max_hops::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Four hops tell most stories.';
    END IF;
    SELECT array_agg(n.id ORDER BY n.occurred_at DESC, n.id), min(n.occurred_at) INTO grounds, began
    FROM cognifold.graph_edge AS e JOIN cognifold.node AS n ON n.tenant_id = e.tenant_id AND n.id = e.source_id
    WHERE e.tenant_id = tenant AND e.target_id = what_if_ignored.intent_id AND e.type = 'grounds' AND e.source_kind = 'event' AND NOT e.inferred;
    began := least(began, clock);

    -- 1. Earlier situations. What an intent rested on that was seen to is no tale of being ignored.
    WITH alike AS (
        SELECT v.node_id AS id, g.id AS because_of, v.cosine
        FROM unnest(grounds[:depth]) AS g (id)
        JOIN cognifold.embedding AS b ON b.tenant_id = tenant AND b.model_id = own.model_id AND b.kind = 'event' AND b.node_id = g.id
        CROSS JOIN LATERAL cognifold.near_vectors(
            tenant, own.model_id, b.vector,
            ROW('{event}'::text[], NULL, began - make_interval(secs => 3600 * (settings ->> 'intent.apart')::double precision),
                NULL, NULL, NULL, NULL, NULL, NULL, true)::cognifold.narrowing, depth, settings) AS v
        WHERE v.cosine >= (settings ->> 'intent.likeness')::double precision
        UNION ALL
        SELECT h.source_id, NULL, NULL
        FROM cognifold.graph_edge AS t
        JOIN cognifold.graph_edge AS o ON o.tenant_id = tenant AND o.source_id = t.source_id AND o.type = 'triggers' AND o.target_id <> t.target_id
        JOIN cognifold.intent_state AS s ON s.tenant_id = tenant AND s.node_id = o.target_id
             AND cognifold.intent_status(s.status, s.wake_at, s.expires_at, clock) IN ('rejected', 'expired')
        JOIN cognifold.graph_edge AS h ON h.tenant_id = tenant AND h.target_id = o.target_id AND h.type = 'grounds' AND h.source_kind = 'event' AND NOT h.inferred
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = h.source_id AND n.occurred_at < began
        WHERE t.tenant_id = tenant AND t.target_id = what_if_ignored.intent_id AND t.type = 'triggers' AND t.source_kind = 'concept'
    ), once AS (
        SELECT DISTINCT ON (a.id) a.id, a.because_of, a.cosine FROM alike AS a
        WHERE a.id <> ALL (grounds)
        ORDER BY a.id, a.cosine DESC NULLS LAST, a.because_of
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'because_of', o.because_of, 'cosine', o.cosine, 'intent', i.id, 'status', i.status)), '[]')
    INTO situations
    FROM once AS o
    LEFT JOIN LATERAL (
        SELECT s.node_id AS id, x.status
        FROM cognifold.graph_edge AS e
        JOIN cognifold.intent_state AS s ON s.tenant_id = tenant AND s.node_id = e.target_id
        CROSS JOIN LATERAL (SELECT cognifold.intent_status(s.status, s.wake_at, s.expires_at, clock) AS status) AS x
        WHERE e.tenant_id = tenant AND e.source_id = o.id AND e.type = 'grounds' AND e.target_kind = 'intent' AND NOT e.inferred
        ORDER BY x.status IN ('rejected', 'expired') DESC, s.node_id LIMIT 1
    ) AS i ON true
    WHERE i.id IS NULL OR i.status IN ('rejected', 'expired');

    -- 2. What followed. A chain ends where this time begins.
    RETURN QUERY
    WITH RECURSIVE chain AS (
        SELECT (s.value ->> 'id')::uuid AS seed, (s.value ->> 'cosine')::double precision AS cosine, n.id, n.occurred_at, 0 AS hop, ARRAY[n.id] AS path,
               NULL::text AS relation, NULL::double precision AS weight
        FROM jsonb_array_elements(situations) AS s
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = (s.value ->> 'id')::uuid AND n.occurred_at < began
        UNION ALL
        -- Of the ways that lead to an event with equally many hops one goes on, the one that would be told (below): there
        -- are more ways than events, by a power of the hops.
        SELECT g.* FROM (
            SELECT DISTINCT ON (f.id) c.seed, c.cosine, f.id, f.occurred_at, c.hop + 1, c.path || f.id AS path, f.type, f.weight
            FROM chain AS c
            CROSS JOIN LATERAL (
                SELECT n.id, n.occurred_at, e.type, w.weight
                FROM cognifold.graph_edge AS e
                JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = e.target_id AND n.occurred_at >= c.occurred_at AND n.occurred_at < began
                CROSS JOIN LATERAL (SELECT least(1, cognifold.mass(e.potential, cognifold.decay_integral(tenant, e.rate, e.stamped_at))) AS weight) AS w
                WHERE e.tenant_id = tenant AND e.source_id = c.id AND e.target_kind = 'event' AND e.source_kind = 'event' AND NOT e.inferred
                  AND (e.type = 'causes' OR e.type = 'precedes' AND EXISTS (
                      SELECT FROM cognifold.mention AS a
                      JOIN cognifold.mention AS b ON b.tenant_id = tenant AND b.node_id = e.target_id AND b.role = 1 AND b.name = a.name
                      WHERE a.tenant_id = tenant AND a.node_id = c.id AND a.role = 1))
                  AND e.target_id <> ALL (c.path) AND e.target_id <> ALL (grounds)
                ORDER BY e.type, w.weight DESC, n.occurred_at, n.id   -- what was caused comes first
                LIMIT fan_out
            ) AS f
            WHERE c.hop < max_hops
            ORDER BY f.id, c.cosine DESC NULLS LAST, c.seed, c.path, f.type
        ) AS g
    ), told AS (   -- each once, by the shortest way, and in the situation most like this one
        SELECT DISTINCT ON (c.id) c.*, s.value AS origin, o.occurred_at AS since
        FROM chain AS c
        JOIN jsonb_array_elements(situations) AS s ON (s.value ->> 'id')::uuid = c.seed
        JOIN cognifold.node AS o ON o.tenant_id = tenant AND o.id = c.seed
        WHERE c.hop > 0
        ORDER BY c.id, c.hop, c.cosine DESC NULLS LAST, c.seed, c.path, c.relation
    )
    SELECT dense_rank() OVER (ORDER BY round((t.origin ->> 'cosine')::numeric, 9) DESC NULLS LAST, t.since DESC, t.seed),
           row_number() OVER (PARTITION BY t.seed ORDER BY t.occurred_at, t.hop, t.id),
           t.id, n.title, t.occurred_at, CASE WHEN isfinite(t.occurred_at) AND isfinite(t.since) THEN t.occurred_at - t.since END, t.relation, t.weight, t.hop, t.path, t.seed,
           (t.origin ->> 'because_of')::uuid, (t.origin ->> 'cosine')::double precision, (t.origin ->> 'intent')::uuid, t.origin ->> 'status'
    FROM told AS t JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = t.id
    ORDER BY 1, 2;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.what_if_ignored(uuid, timestamptz, integer, text) IS
    'What followed earlier situations like the one an intent is about, as of as_of: situation (the most alike first) and step number the events in order of time. A situation is an earlier event (like_event) with a cosine of intent.likeness or more (likeness) to one the intent rests on (because_of), at least intent.apart hours before these began, or one that an earlier intent of the same concept rested on which was rejected or expired (earlier_intent, outcome); events that only intents rested on which were seen to are none. From it stated edges are followed, at most max_hops, up to the time the intent''s own evidence began: causes, and precedes where both events name the same. relation and weight (when it was last stated, (0, 1]) are those of the last edge, path the events from like_event to this one, after the time since like_event (NULL where one is at no finite time). No such chain, no row: nothing is inferred. CF021 for what is no intent.';
