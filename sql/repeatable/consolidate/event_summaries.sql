-- event_summaries: events that say the same of the same actor get one concept that stands for all of them, or join the one they have.
--
--   the given events ─► one of each text ─► its like among all events, by the index ─► the summary one of them has
--        ─► join it  |  else a concept that is just that becomes it  |  else, of enough events, a new one
--
-- A summary is a concept with the annotation "summary": how many events it stands for, since when, until when, the newest, and the
-- one that was the newest before (former).
-- A stream of ten thousand equal lines costs one search a pass, and an edge a line.
CREATE OR REPLACE FUNCTION cognifold.event_summaries(tenant text, events uuid[], as_of timestamptz) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    own         cognifold.embedding_model := cognifold.tenant_model(tenant);
    settings    jsonb := cognifold.settings(tenant);
    enough      integer := settings -> 'summary.events';
    depth       integer := settings -> 'summary.neighbours';
    purity      double precision := settings -> 'summary.purity';
    telling     double precision := settings -> 'summary.information';
    said        record;             -- the given events of one text and actor
    near        uuid[];             -- other events that say the same
    members     uuid[];
    summary     record;
    place       integer;
    placed      jsonb := '{}';      -- event -> which of the groups it is in
    concepts    uuid[] := '{}';     -- one a group: the concept that is or becomes its summary, NULL for a new one
    groups      jsonb := '[]';      -- one a group: its events
    grown       record;
    written     jsonb;
    zone        text := (SELECT t.time_zone FROM cognifold.tenant AS t WHERE t.tenant_id = tenant);
    operations  jsonb := '[]';
    undone      jsonb;              -- nodes of passes that somebody has undone
BEGIN
    FOR said IN
        WITH given AS MATERIALIZED (
            SELECT n.id, n.actor, n.occurred_at, cognifold.indexed_text(n.title, c.content) AS text, e.vector
            FROM (SELECT DISTINCT i.id FROM unnest(events) AS i (id)) AS i
            JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = i.id AND n.kind = 'event'
            JOIN cognifold.node_text AS c ON c.tenant_id = tenant AND c.node_id = n.id
            JOIN cognifold.embedding AS e ON e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = n.id
            JOIN cognifold.folded_event AS f ON f.tenant_id = tenant AND f.event_id = n.id
        ), class AS MATERIALIZED (
            SELECT g.text, g.actor, array_agg(g.id ORDER BY g.occurred_at, g.id) AS ids, (array_agg(g.vector ORDER BY g.occurred_at, g.id))[1] AS vector,
                   min(g.occurred_at) AS since
            FROM given AS g
            GROUP BY g.actor, g.text
        ), asking AS (
            SELECT array_agg(c.ids[1] ORDER BY c.ids[1]) AS ids, array_agg(c.vector ORDER BY c.ids[1]) AS vectors, max(cardinality(c.ids)) AS most FROM class AS c
        ), close AS MATERIALIZED (   -- those given with it are among the nearest, and others say so too: as many more are looked at
            SELECT v.asking, array_agg(v.neighbour ORDER BY v.cosine DESC, v.neighbour) AS ids
            FROM asking AS a
            CROSS JOIN LATERAL cognifold.near_of_kind(tenant, 'event', a.ids, a.vectors, own."duplicate" - 1e-6, 2 * depth + least(a.most, 100)) AS v
            JOIN class AS c ON c.ids[1] = v.asking
            JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = v.neighbour AND n.actor IS NOT DISTINCT FROM c.actor
            WHERE v.neighbour <> ALL (c.ids)
            GROUP BY v.asking
        )
        SELECT c.text, c.actor, c.ids, c.vector, coalesce((SELECT l.ids[: depth] FROM close AS l WHERE l.asking = c.ids[1]), '{}') AS close
        FROM class AS c
        ORDER BY c.since, c.ids[1]
    LOOP
        -- 1. Its like.
        SELECT coalesce(array_agg(c.id ORDER BY c.rank), '{}') INTO near
        FROM unnest(said.close) WITH ORDINALITY AS c (id, rank)
        WHERE cognifold.near_identical(tenant, said.ids[1], c.id)
          AND EXISTS (SELECT FROM cognifold.folded_event AS f WHERE f.tenant_id = tenant AND f.event_id = c.id);
        CONTINUE WHEN cardinality(near) = 0 AND cardinality(said.ids) < 2;
        CONTINUE WHEN cognifold.information(tenant, said.text) < telling;
        members := said.ids || near;

        -- 2. One that was met before in this call.
        SELECT (placed ->> m.id::text)::integer INTO place
        FROM unnest(members) WITH ORDINALITY AS m (id, rank) WHERE placed ? m.id::text ORDER BY m.rank LIMIT 1;

        -- 3. The summary that one of them has, or that lies where they do: its newest event must say the same.
        IF place IS NULL THEN
            SELECT c.id, c.rank INTO summary
            FROM (
                SELECT g.target_id AS id, 1 AS rank
                FROM unnest(near || said.ids[:depth]) AS m (id)
                JOIN cognifold.graph_edge AS g ON g.tenant_id = tenant AND g.source_id = m.id AND g.type IN ('grounds', 'reinforces') AND NOT g.inferred
                UNION
                SELECT v.neighbour, 1
                FROM cognifold.near_of_kind(tenant, 'concept', said.ids[: 1], ARRAY[said.vector], own."duplicate" - 1e-6, depth) AS v
            ) AS c
            JOIN cognifold.annotation AS a ON a.tenant_id = tenant AND a.node_id = c.id AND a.name = 'summary'
            JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = c.id AND n.merged_into IS NULL
            JOIN cognifold.concept_state AS s ON s.tenant_id = tenant AND s.node_id = c.id
            WHERE cognifold.near_identical(tenant, said.ids[1], (a.value ->> 'newest')::uuid)
            ORDER BY s.event_count DESC, c.id LIMIT 1;
            -- 4. Or a concept that rests on such events and on hardly anything else: of one direction, and nearly all it was made of says the same.
            IF summary.id IS NULL AND cardinality(members) >= least(enough, 2) THEN
                SELECT c.id, c.shared INTO summary
                FROM (
                    SELECT g.target_id AS id, count(DISTINCT m.id) AS shared
                    FROM unnest(near || said.ids[:depth]) AS m (id)
                    JOIN cognifold.graph_edge AS g ON g.tenant_id = tenant AND g.source_id = m.id AND g.type IN ('grounds', 'reinforces') AND NOT g.inferred
                         AND g.target_kind = 'concept'
                    GROUP BY g.target_id
                ) AS c
                JOIN cognifold.concept_state AS s ON s.tenant_id = tenant AND s.node_id = c.id
                WHERE c.shared >= 2 AND s.event_count >= enough AND s.vector_count = s.event_count
                  AND vector_norm(s.vector_sum) ^ 2 >= own."duplicate" * s.vector_count ^ 2
                  AND (SELECT avg(cognifold.near_identical(tenant, said.ids[1], e.source_id)::integer)
                       FROM (SELECT g.source_id FROM cognifold.graph_edge AS g
                             WHERE g.tenant_id = tenant AND g.target_id = c.id AND g.type IN ('grounds', 'reinforces') AND NOT g.inferred
                             ORDER BY g.type, g.source_id LIMIT 2 * depth) AS e) >= purity
                ORDER BY c.shared DESC, c.id LIMIT 1;
            END IF;
            -- 5. Or a new one, of enough events; or what that would only repeat (duplicate_concept), lest it be reinforced by what made it.
            IF summary.id IS NULL THEN
                CONTINUE WHEN cardinality(members) < enough;
                SELECT d.id, 0 INTO summary
                FROM (SELECT cognifold.duplicate_concept(tenant, (SELECT cognifold.headline(n.title) FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = said.ids[1]),
                                                         members) AS id) AS d;
            END IF;
            place := array_position(concepts, summary.id) - 1;
            IF summary.id IS NULL OR place IS NULL THEN
                place := jsonb_array_length(groups);
                concepts := concepts || summary.id;
                groups := groups || '[[]]'::jsonb;
            END IF;
        END IF;
        groups := jsonb_set(groups, ARRAY[place::text], (groups -> place) || to_jsonb(members));
        placed := placed || (SELECT jsonb_object_agg(m.id::text, place) FROM unnest(members) AS m (id));
    END LOOP;

    -- 6. What that makes to do: an edge for who is new, and the count.
    FOR grown IN
        WITH member AS MATERIALIZED (
            SELECT DISTINCT g.place - 1 AS place, m.id::uuid AS id
            FROM jsonb_array_elements(groups) WITH ORDINALITY AS g (ids, place)
            CROSS JOIN LATERAL jsonb_array_elements_text(g.ids) AS m (id)
        ), grouped AS MATERIALIZED (
            SELECT m.place, concepts[m.place + 1] AS concept, array_agg(m.id) AS ids FROM member AS m GROUP BY m.place
        ), standing AS MATERIALIZED (
            SELECT g.*, s.event_count, a.value AS known
            FROM grouped AS g
            LEFT JOIN cognifold.concept_state AS s ON s.tenant_id = tenant AND s.node_id = g.concept
            LEFT JOIN cognifold.annotation AS a ON a.tenant_id = tenant AND a.node_id = g.concept AND a.name = 'summary'
        )
        SELECT g.concept, g.known, f.ids AS fresh, n.id AS newest, n.title, n.actor, left(c.content, 1000) AS content,
               coalesce(g.event_count, 0) + cardinality(f.ids) AS number, p.since, p.until
        FROM standing AS g
        CROSS JOIN LATERAL (   -- what does not ground it yet
            SELECT coalesce(array_agg(n.id ORDER BY n.occurred_at, n.id), '{}') AS ids
            FROM unnest(g.ids) AS m (id) JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = m.id
            WHERE NOT EXISTS (SELECT FROM cognifold.graph_edge AS e
                              WHERE e.tenant_id = tenant AND e.source_id = n.id AND e.target_id = g.concept
                                AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred)
        ) AS f
        CROSS JOIN LATERAL (
            SELECT least(min(n.occurred_at), (g.known ->> 'since')::timestamptz) AS since, greatest(max(n.occurred_at), (g.known ->> 'until')::timestamptz) AS until,
                   (array_agg(n.id ORDER BY n.occurred_at DESC, n.id DESC) FILTER (WHERE m.same))[1] AS newest
            FROM (SELECT unnest(g.ids) AS id, true AS same
                  UNION SELECT (g.known ->> 'newest')::uuid, true
                  UNION (SELECT e.source_id, false FROM cognifold.graph_edge AS e   -- of one that only now becomes a summary
                         WHERE g.known IS NULL AND e.tenant_id = tenant AND e.target_id = g.concept
                           AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred)) AS m
            JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = m.id
        ) AS p
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = p.newest
        JOIN cognifold.node_text AS c ON c.tenant_id = tenant AND c.node_id = n.id
        ORDER BY g.place
    LOOP
        CONTINUE WHEN cardinality(grown.fresh) = 0 AND (grown.known ->> 'events')::bigint = grown.number AND (grown.known ->> 'newest')::uuid = grown.newest;
        IF grown.concept IS NULL THEN
            undone := coalesce(undone, cognifold.taken_back(tenant, 'ADD_NODE'));
            CONTINUE WHEN EXISTS (SELECT FROM jsonb_array_elements(undone) AS o (body)
                                  WHERE o.body -> 'annotations' ? 'summary' AND o.body -> 'grounded_in' ?| grown.fresh::text[]);
        END IF;
        -- In UTC, whatever the session's zone is: what does not change must look unchanged.
        written := jsonb_build_object(
            'title', cognifold.headline(grown.title),
            'content', format('%s times%s, from %s to %s: %s', grown.number, ' by ' || grown.actor,
                              to_char(grown.since AT TIME ZONE zone, 'YYYY-MM-DD HH24:MI'), to_char(grown.until AT TIME ZONE zone, 'YYYY-MM-DD HH24:MI'), grown.content),
            'annotations', jsonb_build_object('summary', jsonb_strip_nulls(jsonb_build_object(
                'former', CASE WHEN (grown.known ->> 'newest')::uuid = grown.newest THEN grown.known -> 'former' ELSE grown.known -> 'newest' END,
                'events', grown.number, 'newest', grown.newest, 'since', (to_jsonb(grown.since AT TIME ZONE 'UTC') #>> '{}') || CASE WHEN isfinite(grown.since) THEN 'Z' ELSE '' END,
                'until', (to_jsonb(grown.until AT TIME ZONE 'UTC') #>> '{}') || CASE WHEN isfinite(grown.until) THEN 'Z' ELSE '' END))),
            'reasoning', format('%s events say the same: "%s"', grown.number, cognifold.headline(grown.title)));
        IF grown.concept IS NULL THEN
            operations := operations || (written || jsonb_build_object('op', 'ADD_NODE', 'kind', 'concept', 'grounded_in', to_jsonb(grown.fresh)));
        ELSE
            operations := operations
                || coalesce((SELECT jsonb_agg(jsonb_build_object('op', 'ADD_EDGE', 'source', f.id, 'target', grown.concept, 'type', 'reinforces',
                                                                 'reasoning', 'says the same again') ORDER BY f.rank)
                             FROM unnest(grown.fresh) WITH ORDINALITY AS f (id, rank)), '[]')
                || (written - 'title' || jsonb_build_object('op', 'UPDATE_NODE', 'node', grown.concept));
        END IF;
    END LOOP;
    RETURN operations;
END
$$;
COMMENT ON FUNCTION cognifold.event_summaries(text, uuid[], timestamptz) IS
    'Operations (for execute_plan as consolidate) that give the given events, where they have their like, a summary concept: near-identical events (near_identical; the summary.neighbours nearest are looked at) of summary.events or more, that say something (summary.information). Those of a summary that is there join it by a reinforces edge each, and its count follows; a concept that rests on hardly anything but such events (its mean vector as near to them as the model''s duplicate, and summary.purity of those it was made of) becomes their summary, and keeps its title; else ADD_NODE, grounded in all of them, titled by their own words. Nothing where nothing is new: a second call proposes nothing; nor in place of a summary that was undone (taken_back). Writes nothing. Internal: a pass calls it.';
