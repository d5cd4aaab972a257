-- propose_plan: the SQL planner. Given an event and the graph as it is, what is to be made of it, with reasons.
--
-- Affinity says how much more alike two events are than events of this tenant usually are: the cosine of the new one's
-- focus and the other's vector, plus the share of the new one's rarity that their common words carry, plus what their common
-- names weigh (who acts, and what stands in capitals), less the mean of the first and the last over earlier events. A concept's
-- affinity is the mean over its events, in a large one over those most alike, less a penalty that grows with its size. Small
-- talk neither joins nor founds a concept. Of all other events the best concept above `reinforce` gains it; else ungrouped
-- events above `cluster` (two or more), or the single best above `pair`, found a concept with it. Both are raised by as much as
-- names alone make the event's affinities differ (their standard deviation), and so suit a stream without names, too. A concept
-- is named anew when it has doubled. The same stream gives the same graph: every order ends in event time and id.
CREATE OR REPLACE FUNCTION cognifold.propose_plan(tenant text, event_id uuid, settings jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
-- Each statement is planned once, on whatever the memory holds then, and looks a few rows up by their keys: a plan made
-- for an empty memory must still be right for a full one.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    own        cognifold.embedding_model := cognifold.tenant_model(tenant);
    subject    record;
    lexemes    text[];                -- the event's words, each with how rare it is
    rarities   double precision[];
    rarity     double precision;      -- of all of them
    documents  double precision;      -- the tenant's events
    named      jsonb;                 -- the event's names: word, lexeme, weight
    varying    double precision;      -- by how much its affinities differ by names alone
    focus      halfvec;               -- where it looks for its like, comparable with stored vectors
    usual      double precision;      -- mean cosine of the event to the tenant's earlier events
    penalty    CONSTANT double precision := settings ->> 'fold.size_penalty';
    names      CONSTANT double precision := settings ->> 'fold.names';
    nearest    CONSTANT integer := settings ->> 'fold.nearest';
    telling    boolean;               -- says enough to belong anywhere
    joined     record;
    alike      uuid[];                -- earlier events, the most alike first, and their affinity
    affinities double precision[];
    founders   uuid[];
    founding   text;
    operations jsonb := '[]';
    more       jsonb;
BEGIN
    SELECT c.content, cognifold.indexed_text(n.title, c.content) AS words, c.payload, n.actor, n.occurred_at, t.time_zone, e.vector AS stored,
           CASE WHEN own.provider = 'lexicon' THEN cognifold.focus(c.content, (settings ->> 'fold.focus')::double precision)
                ELSE e.vector::vector END AS vector
    INTO STRICT subject
    FROM cognifold.node AS n
    JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
    JOIN cognifold.tenant AS t ON t.tenant_id = n.tenant_id
    LEFT JOIN cognifold.embedding AS e ON e.tenant_id = n.tenant_id AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = n.id
    WHERE n.tenant_id = tenant AND n.id = event_id;

    IF subject.vector IS NOT NULL THEN
        focus := subject.vector::halfvec;
        -- The event itself is in the sum once it is indexed; a young tenant's mean leans on the model's.
        SELECT (own.usual * (settings ->> 'fold.usual_weight')::double precision
                - coalesce(max(s.vector_sum <#> subject.vector), 0) + coalesce(subject.stored <#> focus, 0))
               / greatest((settings ->> 'fold.usual_weight')::double precision + coalesce(max(s.vector_count), 0)
                          - CASE WHEN subject.stored IS NULL THEN 0 ELSE 1 END, 1)
        INTO usual
        FROM (VALUES (1)) AS always (there)
        LEFT JOIN cognifold.embedding_statistics AS s ON s.tenant_id = tenant AND s.model_id = own.model_id;
        SELECT array_agg(w.lexeme ORDER BY w.lexeme), array_agg(w.rarity ORDER BY w.lexeme), sum(w.rarity ORDER BY w.lexeme)
        INTO lexemes, rarities, rarity
        FROM cognifold.word_rarity(tenant, subject.words) AS w;
        telling := cognifold.information(tenant, subject.content) >= (settings ->> 'fold.minimum_information')::double precision;

        -- Whom and what it names: who acts, and the words that stand in capitals, each weighing the more the fewer events have it.
        documents := (SELECT s.document_count FROM cognifold.lexical_statistics AS s WHERE s.tenant_id = tenant);
        WITH word AS MATERIALIZED (
            SELECT w.word COLLATE "C" AS word, cognifold.lexeme(w.word) AS lexeme
            FROM (SELECT lower(m.word[1]) AS word
                  FROM regexp_matches(left(subject.words, (settings ->> 'lexical.max_characters')::integer), '\m[[:upper:]][[:alnum:]]{2,}', 'g') AS m (word)
                  UNION
                  SELECT a.word FROM cognifold.name_words(subject.actor) AS a) AS w
        ), counted AS (
            SELECT w.word, w.lexeme,
                   coalesce((SELECT f.document_count FROM cognifold.lexeme_frequency AS f
                             WHERE f.tenant_id = tenant AND f.lexeme = w.lexeme), 0) AS texts,
                   coalesce((SELECT sum(f.event_count)
                             FROM cognifold.actor_name AS a
                             JOIN cognifold.actor_frequency AS f ON f.tenant_id = a.tenant_id AND f.actor = a.actor
                             WHERE a.tenant_id = tenant AND a.word = w.word), 0) AS spoken
            FROM word AS w
        ), told AS (
            SELECT c.word, c.lexeme, c.texts + c.spoken AS bearers, sum(c.texts) OVER (ORDER BY c.texts, c.word) AS postings
            FROM counted AS c WHERE c.texts + c.spoken BETWEEN 2 AND documents - 1
        )
        SELECT jsonb_agg(jsonb_build_object(
                   'word', t.word,
                   -- Too many texts to look through: who acts still counts.
                   'lexeme', CASE WHEN t.postings <= (settings ->> 'fold.maximum_postings')::double precision THEN t.lexeme END,
                   'weight', ln(documents / t.bearers) / ln(documents)) ORDER BY t.word)
        INTO named
        FROM told AS t;

        -- Which earlier events it is most like: of the latest ones, and of older ones that share its rare words. The parts are
        -- summed, not joined: no plan can go wrong on their numbers.
        WITH latest AS MATERIALIZED (
            SELECT n.id, n.actor FROM cognifold.node AS n
            WHERE n.tenant_id = tenant AND n.kind = 'event' AND (n.occurred_at, n.id) < (subject.occurred_at, event_id)
            ORDER BY n.occurred_at DESC, n.id DESC
            LIMIT (settings ->> 'fold.latest')::integer
        ), name AS MATERIALIZED (
            SELECT n.word, n.lexeme, n.weight
            FROM jsonb_to_recordset(named) AS n (word text, lexeme text, weight double precision)
        ), term AS (   -- a text holds a name if it holds the word
            SELECT t.lexeme, sum(t.rarity) AS rarity, sum(t.weight) AS weight
            FROM (SELECT w.lexeme, w.rarity, 0::double precision AS weight FROM unnest(lexemes, rarities) AS w (lexeme, rarity)
                  UNION ALL
                  SELECT n.lexeme, 0, n.weight FROM name AS n WHERE n.lexeme IS NOT NULL) AS t
            GROUP BY t.lexeme
        ), speaker AS MATERIALIZED (
            SELECT a.actor, sum(n.weight) AS weight
            FROM name AS n
            JOIN cognifold.actor_name AS a ON a.tenant_id = tenant AND a.word = n.word
            GROUP BY a.actor
        ), part AS (
            SELECT l.id AS node_id, true AS is_latest, 0::double precision AS rarity, 0::double precision AS weight FROM latest AS l
            UNION ALL
            SELECT l.id, true, 0, s.weight FROM speaker AS s JOIN latest AS l ON l.actor = s.actor
            UNION ALL
            SELECT p.node_id, false, t.rarity, t.weight
            FROM term AS t
            JOIN cognifold.posting AS p ON p.tenant_id = tenant AND p.lexeme = t.lexeme AND p.kind = 'event'
        ), candidate AS MATERIALIZED (
            SELECT p.node_id, bool_or(p.is_latest) AS is_latest, sum(p.rarity) AS rarity, least(sum(p.weight), 1) AS weight
            FROM part AS p
            GROUP BY p.node_id
            ORDER BY bool_or(p.is_latest) DESC, sum(p.rarity) DESC, p.node_id DESC
            LIMIT (settings ->> 'fold.latest')::integer + (settings ->> 'fold.sharing')::integer
        ), usually AS MATERIALIZED (
            SELECT coalesce(avg(c.weight), 0) AS weight, coalesce(stddev_pop(c.weight), 0) AS deviation FROM candidate AS c WHERE c.is_latest
        ), near AS MATERIALIZED (   -- one scan for all their vectors, whose keys mostly lie side by side
            SELECT p.node_id, sum(p.affinity) AS affinity
            FROM (
                SELECT e.node_id, -(e.vector <#> focus) - usual - names * (SELECT u.weight FROM usually AS u) AS affinity, true AS has_vector
                FROM cognifold.embedding AS e
                WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'event'
                  AND e.node_id = ANY (ARRAY(SELECT c.node_id FROM candidate AS c))
                UNION ALL
                SELECT c.node_id, coalesce(c.rarity / NULLIF(rarity, 0), 0) + names * c.weight, false
                FROM candidate AS c WHERE c.rarity > 0 OR c.weight > 0
            ) AS p
            GROUP BY p.node_id
            HAVING bool_or(p.has_vector) AND sum(p.affinity) >= least(own.reinforce, own.cluster, own.pair, own.relate)
        ), ranked AS MATERIALIZED (
            -- Rounded, so that equal texts are equally alike in whatever order their parts were summed.
            SELECT l.node_id, n.occurred_at, round(l.affinity::numeric, 9)::double precision AS affinity
            FROM near AS l
            CROSS JOIN LATERAL (
                SELECT n.occurred_at FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = l.node_id LIMIT 1
            ) AS n
            WHERE (n.occurred_at, l.node_id) < (subject.occurred_at, event_id)
        )
        SELECT array_agg(r.node_id ORDER BY r.affinity DESC, r.occurred_at DESC, r.node_id DESC),
               array_agg(r.affinity ORDER BY r.affinity DESC, r.occurred_at DESC, r.node_id DESC),
               round((SELECT names * u.deviation FROM usually AS u)::numeric, 9)::double precision
        INTO alike, affinities, varying
        FROM ranked AS r;
    END IF;

    IF subject.vector IS NOT NULL AND telling THEN
        -- Which concept it is evidence for, if any: of those that hold the events it is most like. A concept's event that is not
        -- among these counts 0.
        WITH evidence AS MATERIALIZED (
            SELECT DISTINCT g.target_id AS node_id, a.affinity, a.rank
            FROM unnest(alike[:(settings ->> 'fold.sharing')::integer], affinities) WITH ORDINALITY AS a (node_id, affinity, rank)
            JOIN cognifold.graph_edge AS g ON g.tenant_id = tenant AND g.source_id = a.node_id
            WHERE a.node_id IS NOT NULL AND g.target_kind = 'concept' AND g.type IN ('grounds', 'reinforces') AND NOT g.inferred
        ), placed AS (
            SELECT e.node_id, e.affinity, row_number() OVER (PARTITION BY e.node_id ORDER BY e.rank) AS place FROM evidence AS e
        ), best AS MATERIALIZED (
            SELECT p.node_id, sum(p.affinity ORDER BY p.place) AS affinity FROM placed AS p WHERE p.place <= nearest GROUP BY p.node_id
        )
        SELECT b.node_id, n.title, c.event_count,
               round((b.affinity / least(nearest, c.event_count) - penalty * ln(greatest(c.event_count, 2)::double precision / 2))::numeric, 9)
               ::double precision AS affinity
        INTO joined
        FROM best AS b
        JOIN cognifold.concept_state AS c ON c.tenant_id = tenant AND c.node_id = b.node_id AND c.event_count > 0
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = b.node_id AND n.merged_into IS NULL
        ORDER BY 4 DESC, n.occurred_at, n.id
        LIMIT 1;

        IF joined.affinity >= own.reinforce THEN
            operations := operations || jsonb_build_object(
                'op', 'ADD_EDGE', 'source', event_id, 'target', joined.node_id, 'type', 'reinforces',
                'grounded_in', jsonb_build_array(event_id),
                'reasoning', format('nearest concept "%s", affinity %s', joined.title, round(joined.affinity::numeric, 3)));
            IF joined.event_count + 1 IN (4, 8, 16, 32, 64, 128, 256, 512, 1024) THEN
                -- It has doubled since it was named; by now its events say better what it is about.
                operations := operations || cognifold.retitling(tenant, joined.node_id, joined.title, event_id);
            END IF;
        ELSE
            -- Which ungrouped events it makes a pattern with: several that are alike, or one that is very much so.
            WITH ungrouped AS MATERIALIZED (
                SELECT a.node_id, a.affinity, a.rank
                FROM unnest(alike, affinities) WITH ORDINALITY AS a (node_id, affinity, rank)
                WHERE a.affinity >= least(own.cluster, own.pair) + varying
                  AND NOT EXISTS (
                      SELECT FROM cognifold.graph_edge AS g
                      WHERE g.tenant_id = tenant AND g.source_id = a.node_id AND g.target_kind = 'concept'
                        AND g.type IN ('grounds', 'reinforces') AND NOT g.inferred)
            ), candidate AS MATERIALIZED (
                SELECT u.*, n.occurred_at
                FROM ungrouped AS u
                JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = u.node_id
                JOIN cognifold.node_text AS c ON c.tenant_id = tenant AND c.node_id = u.node_id
                WHERE cognifold.information(tenant, c.content) >= (settings ->> 'fold.minimum_information')::double precision
            ), chosen AS (
                SELECT c.* FROM candidate AS c
                WHERE c.affinity >= own.cluster + varying
                  AND (SELECT count(*) FROM candidate AS o WHERE o.affinity >= own.cluster + varying) >= 2
                UNION
                (SELECT c.* FROM candidate AS c WHERE c.affinity >= own.pair + varying ORDER BY c.rank LIMIT 1)
            )
            SELECT array_agg(c.node_id ORDER BY c.occurred_at, c.node_id),
                   format('%s earlier ungrouped event(s) alike, affinity up to %s', count(*), round(max(c.affinity)::numeric, 3))
            INTO founders, founding
            FROM chosen AS c;

            IF founders IS NOT NULL THEN
                founders := founders || event_id;
                operations := operations || jsonb_build_object(
                    'op', 'ADD_NODE', 'ref', 'concept', 'kind', 'concept',
                    'title', cognifold.concept_title(tenant, founders),
                    'grounded_in', to_jsonb(founders), 'reasoning', founding);
            END IF;
        END IF;
    END IF;

    -- The few events it is most like.
    SELECT jsonb_agg(jsonb_build_object(
               'op', 'ADD_EDGE', 'source', event_id, 'target', a.node_id, 'type', 'related_to',
               'weight', round(least(1, a.affinity)::numeric, 4), 'grounded_in', jsonb_build_array(event_id),
               'reasoning', format('alike: affinity %s', round(a.affinity::numeric, 3))) ORDER BY a.rank)
    INTO more
    FROM unnest(alike[:(settings ->> 'fold.related')::integer], affinities) WITH ORDINALITY AS a (node_id, affinity, rank)
    WHERE a.node_id IS NOT NULL AND a.affinity >= greatest(own.relate, 1e-6);
    operations := operations || coalesce(more, '[]');

    -- What the same voice said or did just before.
    SELECT jsonb_build_array(jsonb_build_object(
               'op', 'ADD_EDGE', 'source', b.id, 'target', event_id, 'type', 'precedes', 'grounded_in', jsonb_build_array(event_id),
               'reasoning', 'the last event before it of the same source and actor'))
    INTO more
    FROM cognifold.previous_event(tenant, event_id) AS b (id)
    WHERE b.id IS NOT NULL;
    operations := operations || coalesce(more, '[]');

    -- What it must be done by.
    SELECT jsonb_agg(o.operation ORDER BY d.moment, d."precision", o.place)
    INTO more
    FROM cognifold.deadlines(subject.words, subject.payload, subject.occurred_at, subject.time_zone) AS d
    CROSS JOIN LATERAL (
        SELECT format('time_%s', to_char(d.moment AT TIME ZONE 'UTC', 'YYYYMMDD_HH24MISS_') || d."precision") AS ref
    ) AS r
    CROSS JOIN LATERAL (VALUES
        (1, jsonb_build_object(
            'op', 'ADD_NODE', 'kind', 'time', 'ref', r.ref, 'precision', d."precision",
            'occurred_at', to_char(d.moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
            'title', to_char(d.moment AT TIME ZONE subject.time_zone,
                             CASE d."precision" WHEN 'day' THEN 'FMDD FMMonth YYYY' ELSE 'FMDD FMMonth YYYY HH24:MI' END),
            'grounded_in', jsonb_build_array(event_id), 'reasoning', format('"%s"', d.phrase))),
        (2, jsonb_build_object(
            'op', 'ADD_EDGE', 'source', r.ref, 'target', event_id, 'type', 'deadline_for',
            'grounded_in', jsonb_build_array(event_id), 'reasoning', format('"%s"', d.phrase)))
    ) AS o (place, operation);
    operations := operations || coalesce(more, '[]');

    RETURN jsonb_build_object('trigger_event_id', event_id, 'reasoning', 'folded by the SQL planner', 'operations', operations);
END
$$;
COMMENT ON FUNCTION cognifold.propose_plan(text, uuid, jsonb) IS 'The SQL planner''s UpdatePlan for an event (see propose). Internal.';
