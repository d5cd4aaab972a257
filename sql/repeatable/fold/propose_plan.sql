-- propose_plan: the SQL planner. Given an event and the graph as it is, what is to be made of it, with reasons.
--
-- Affinity says how much more alike two events are than events of this tenant usually are: the cosine of the new one's
-- focus and the other's vector, plus the share of the new one's rarity that their common words carry, plus what their common
-- names weigh (who acts, and what stands in capitals), less the mean of the first and the last over earlier events. A concept's
-- affinity is the mean over its events, in a large one over those most alike, less a penalty that grows with its size. Small
-- talk neither joins nor founds a concept. Of all other events the best concept above `reinforce` gains it; else ungrouped
-- events above `cluster` (two or more), or the single best above `pair`, found a concept with it. Both are raised by as much as
-- names alone make the event's affinities differ (their standard deviation), and so suit a stream without names, too. What is
-- wanted attracts: for a concept whose intent is open, `reinforce` is lower (see attracting). A concept is named anew when it
-- has doubled. The same stream gives the same graph: every order ends in event time and id.
CREATE OR REPLACE FUNCTION cognifold.propose_plan(
    tenant text, event_id uuid, settings jsonb,
    latest_ids uuid[] DEFAULT NULL, latest_times timestamptz[] DEFAULT NULL, latest_actors text[] DEFAULT NULL, latest_vectors halfvec[] DEFAULT NULL
) RETURNS jsonb
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
    named        text[];              -- the event's names, the lexeme of each and its weight
    name_lexemes text[];
    name_weights double precision[];
    varying    double precision;      -- by how much its affinities differ by names alone
    focus      halfvec;               -- where it looks for its like, comparable with stored vectors
    usual      double precision;      -- mean cosine of the event to the tenant's earlier events
    penalty    CONSTANT double precision := settings ->> 'fold.size_penalty';
    names      CONSTANT double precision := settings ->> 'fold.names';
    nearest    CONSTANT integer := settings ->> 'fold.nearest';
    attraction CONSTANT double precision := settings ->> 'intent.attraction';
    usual_weight CONSTANT double precision := settings ->> 'fold.usual_weight';
    maximum_postings CONSTANT double precision := settings ->> 'fold.maximum_postings';
    speakers     text[];              -- actors of such a name, and what it weighs
    speaker_weights double precision[];
    stream     record;                -- the tenant's vectors in all
    most_latest  CONSTANT integer := settings ->> 'fold.latest';
    most_sharing CONSTANT integer := settings ->> 'fold.sharing';
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
        SELECT s.document_count INTO documents FROM cognifold.lexical_statistics AS s WHERE s.tenant_id = tenant;
        -- The event itself is in the sum once it is indexed; a young tenant's mean leans on the model's.
        SELECT s.vector_sum <#> subject.vector AS towards, s.vector_count INTO stream
        FROM cognifold.embedding_statistics AS s WHERE s.tenant_id = tenant AND s.model_id = own.model_id;
        usual := (own.usual * usual_weight - coalesce(stream.towards, 0) + coalesce(subject.stored <#> focus, 0))
                 / greatest(usual_weight + coalesce(stream.vector_count, 0) - CASE WHEN subject.stored IS NULL THEN 0 ELSE 1 END, 1);
        SELECT array_agg(w.lexeme ORDER BY w.lexeme), array_agg(w.rarity ORDER BY w.lexeme), sum(w.rarity ORDER BY w.lexeme)
        INTO lexemes, rarities, rarity
        FROM cognifold.word_rarity(tenant, subject.words, documents + (settings ->> 'fold.prior_documents')::double precision, maximum_postings) AS w;
        telling := cognifold.information(tenant, subject.content) >= (settings ->> 'fold.minimum_information')::double precision;

        -- Whom and what it names: who acts, and the words that stand in capitals, each weighing the more the fewer events have it.
        SELECT array_agg(t.word ORDER BY t.word),
               -- Too many texts to look through: who acts still counts.
               array_agg(CASE WHEN t.postings <= maximum_postings THEN t.lexeme END ORDER BY t.word),
               array_agg(ln(documents / t.bearers) / ln(documents) ORDER BY t.word)
        INTO named, name_lexemes, name_weights
        FROM (
            SELECT c.word, c.lexeme, c.texts + c.spoken AS bearers, sum(c.texts) OVER (ORDER BY c.texts, c.word) AS postings
            FROM (
                SELECT w.word, w.lexeme,
                       coalesce((SELECT f.document_count FROM cognifold.lexeme_frequency AS f
                                 WHERE f.tenant_id = tenant AND f.lexeme = w.lexeme), 0) AS texts,
                       coalesce((SELECT sum(f.event_count)
                                 FROM cognifold.actor_name AS a
                                 JOIN cognifold.actor_frequency AS f ON f.tenant_id = a.tenant_id AND f.actor = a.actor
                                 WHERE a.tenant_id = tenant AND a.word = w.word), 0) AS spoken
                FROM (SELECT u.word COLLATE "C" AS word, cognifold.lexeme(u.word) AS lexeme
                      FROM (SELECT lower(m.word[1]) AS word
                            FROM regexp_matches(left(subject.words, (settings ->> 'lexical.max_characters')::integer), '\m[[:upper:]][[:alnum:]]{2,}', 'g') AS m (word)
                            UNION
                            SELECT a.word FROM cognifold.name_words(subject.actor) AS a) AS u
                      OFFSET 0) AS w
                OFFSET 0   -- or each would be looked up wherever it is named
            ) AS c
            WHERE c.texts + c.spoken BETWEEN 2 AND documents - 1
        ) AS t;

        -- Which earlier events it is most like: of the latest ones, and of older ones that share its rare words. The parts are
        -- summed, not joined: no plan can go wrong on their numbers.
        IF latest_ids IS NULL THEN
            SELECT l.ids, l.times, l.actors, l.vectors INTO latest_ids, latest_times, latest_actors, latest_vectors
            FROM cognifold.latest_events(tenant, subject.occurred_at, event_id, own.model_id, most_latest) AS l;
        END IF;
        SELECT array_agg(s.actor), array_agg(s.weight) INTO speakers, speaker_weights
        FROM (SELECT a.actor, sum(n.weight) AS weight
              FROM unnest(named, name_weights) AS n (word, weight)
              JOIN cognifold.actor_name AS a ON a.tenant_id = tenant AND a.word = n.word
              GROUP BY a.actor) AS s;
        WITH part AS (
            (SELECT l.id AS node_id, l.occurred_at, -(l.vector <#> focus) AS cosine, 0::double precision AS rarity,
                    coalesce(speaker_weights[array_position(speakers, l.actor)], 0) AS weight
             FROM unnest(latest_ids, latest_times, latest_actors, latest_vectors) AS l (id, occurred_at, actor, vector)
             LIMIT most_latest)
            UNION ALL
            SELECT p.node_id, NULL, NULL, t.rarity, t.weight
            FROM (   -- a text holds a name if it holds the word
                SELECT t.lexeme, sum(t.rarity) AS rarity, sum(t.weight) AS weight
                FROM (SELECT w.lexeme, w.rarity, 0::double precision AS weight FROM unnest(lexemes, rarities) AS w (lexeme, rarity)
                      UNION ALL
                      SELECT n.lexeme, 0, n.weight FROM unnest(name_lexemes, name_weights) AS n (lexeme, weight) WHERE n.lexeme IS NOT NULL) AS t
                GROUP BY t.lexeme) AS t
            JOIN cognifold.posting AS p ON p.tenant_id = tenant AND p.lexeme = t.lexeme AND p.kind = 'event'
        ), known AS MATERIALIZED (   -- with a time: one of the latest
            SELECT p.node_id, max(p.occurred_at) AS occurred_at, max(p.cosine) AS cosine, sum(p.rarity) AS rarity, least(sum(p.weight), 1) AS weight
            FROM part AS p
            GROUP BY p.node_id
        ), usually AS MATERIALIZED (
            SELECT coalesce(avg(k.weight), 0) AS weight, coalesce(stddev_pop(k.weight), 0) AS deviation FROM known AS k WHERE k.occurred_at IS NOT NULL
        ), near AS (
            SELECT c.node_id, c.occurred_at,
                   c.cosine - usual - names * (SELECT u.weight FROM usually AS u)
                   + (coalesce(c.rarity / NULLIF(rarity, 0), 0) + names * c.weight) AS affinity
            FROM (
                SELECT k.* FROM known AS k WHERE k.occurred_at IS NOT NULL
                UNION ALL
                SELECT s.node_id, s.occurred_at,
                       (SELECT -(e.vector <#> focus) FROM cognifold.embedding AS e
                        WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = s.node_id),
                       s.rarity, s.weight
                FROM (SELECT k.* FROM known AS k WHERE k.occurred_at IS NULL
                      ORDER BY k.rarity DESC, k.node_id DESC
                      LIMIT most_latest + most_sharing - least(cardinality(latest_ids), most_latest)) AS s
            ) AS c
            OFFSET 0   -- or each would be reckoned, and looked up, wherever it is named
        ), ranked AS MATERIALIZED (
            -- Rounded, so that equal texts are equally alike in whatever order their parts were summed.
            SELECT d.node_id, d.occurred_at, round(d.affinity::numeric, 9)::double precision AS affinity
            FROM (SELECT l.node_id, l.affinity,
                         CASE WHEN l.occurred_at IS NULL
                              THEN (SELECT n.occurred_at FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = l.node_id)
                              ELSE l.occurred_at END AS occurred_at
                  FROM near AS l
                  WHERE l.affinity >= least(own.reinforce, own.cluster, own.pair, own.relate)
                  OFFSET 0) AS d
            WHERE (d.occurred_at, d.node_id) < (subject.occurred_at, event_id)
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
        WITH evidence AS (
            SELECT DISTINCT ON (g.target_id, a.rank) g.target_id AS node_id, a.affinity, a.rank
            FROM unnest(alike[:most_sharing], affinities) WITH ORDINALITY AS a (node_id, affinity, rank)
            JOIN cognifold.graph_edge AS g ON g.tenant_id = tenant AND g.source_id = a.node_id
            WHERE a.node_id IS NOT NULL AND g.target_kind = 'concept' AND g.type IN ('grounds', 'reinforces') AND NOT g.inferred
            ORDER BY g.target_id, a.rank   -- in which order all that follows works
        ), placed AS (
            SELECT e.node_id, e.affinity, e.rank, row_number() OVER (PARTITION BY e.node_id ORDER BY e.rank) AS place FROM evidence AS e
        ), best AS (
            SELECT p.node_id, sum(p.affinity ORDER BY p.rank) AS affinity FROM placed AS p WHERE p.place <= nearest GROUP BY p.node_id
        ), able AS MATERIALIZED (
            SELECT b.node_id, c.event_count,
                   round((b.affinity / least(nearest, c.event_count) - penalty * ln(greatest(c.event_count, 2)::double precision / 2))::numeric, 9)
                   ::double precision AS affinity
            FROM best AS b
            JOIN cognifold.concept_state AS c ON c.tenant_id = tenant AND c.node_id = b.node_id AND c.event_count > 0
        ), barred AS MATERIALIZED (
            SELECT a.*, own.reinforce AS bar FROM able AS a WHERE a.affinity >= own.reinforce
            UNION ALL                          -- what is wanted has a lower bar: asked only of those that it would just miss
            SELECT a.*, round((own.reinforce - attraction * p.pull)::numeric, 9)::double precision
            FROM cognifold.attracting(
                     tenant, ARRAY(SELECT m.node_id FROM able AS m WHERE m.affinity < own.reinforce AND m.affinity >= own.reinforce - attraction),
                     '{triggers}', subject.occurred_at, NULL, settings) AS p
            JOIN able AS a ON a.node_id = p.node_id
        )
        SELECT b.node_id, n.title, b.event_count, b.affinity, b.bar
        INTO joined
        FROM barred AS b
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = b.node_id AND n.merged_into IS NULL
        WHERE b.affinity >= b.bar
        ORDER BY b.affinity DESC, n.occurred_at, n.id
        LIMIT 1;

        IF joined.affinity >= joined.bar THEN
            operations := operations || jsonb_build_object(
                'op', 'ADD_EDGE', 'source', event_id, 'target', joined.node_id, 'type', 'reinforces',
                'grounded_in', jsonb_build_array(event_id),
                'reasoning', format('nearest concept "%s", affinity %s', joined.title, round(joined.affinity::numeric, 3))
                             || CASE WHEN joined.affinity < own.reinforce THEN format(', which is enough while its intent is open: %s', round(joined.bar::numeric, 3)) ELSE '' END);
            IF joined.event_count + 1 IN (4, 8, 16, 32, 64, 128, 256, 512, 1024)
               OR joined.event_count < 8 AND joined.title LIKE '% / %' OR joined.event_count = 2 AND joined.title NOT LIKE '% %' THEN
                -- It has doubled since it was named, and its events say better what it is about; or they shared nothing, or a word, and with
                -- one more may share a phrase.
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
    FROM cognifold.due_dates(subject.words, subject.payload, subject.occurred_at, subject.time_zone) AS d
    CROSS JOIN LATERAL (
        SELECT format('time_%s', to_char(d.moment AT TIME ZONE 'UTC', 'YYYYMMDD_HH24MISS_') || d."precision") AS ref
    ) AS r
    CROSS JOIN LATERAL (VALUES
        (1, jsonb_build_object(
            'op', 'ADD_NODE', 'kind', 'time', 'ref', r.ref, 'precision', d."precision",
            'occurred_at', cognifold.plan_time(d.moment),
            'title', to_char(d.moment AT TIME ZONE subject.time_zone,
                             CASE d."precision" WHEN 'day' THEN 'FMDD FMMonth YYYY' ELSE 'FMDD FMMonth YYYY HH24:MI' END),
            'grounded_in', jsonb_build_array(event_id), 'reasoning', format('"%s"', d.phrase))),
        (2, jsonb_build_object(
            'op', 'ADD_EDGE', 'source', r.ref, 'target', event_id, 'type', 'deadline_for',
            'grounded_in', jsonb_build_array(event_id), 'reasoning', format('"%s"', d.phrase))
            || CASE WHEN d.rule IS NULL THEN '{}' ELSE jsonb_build_object('metadata', jsonb_build_object('recurrence', d.rule)) END)
    ) AS o (place, operation);
    operations := operations || coalesce(more, '[]');

    RETURN jsonb_build_object('trigger_event_id', event_id, 'reasoning', 'folded by the SQL planner', 'operations', operations);
END
$$;
COMMENT ON FUNCTION cognifold.propose_plan(text, uuid, jsonb, uuid[], timestamptz[], text[], halfvec[]) IS
    'The SQL planner''s UpdatePlan for an event (see propose). latest_...: the events before it, where the caller has them at hand (latest_events). Internal.';
