-- asked_state: the statements about what a question asks for, newest first in each attribute, and which of them answer it.
--
-- Whom the question is about: I and my are those who speak, a name is the actor or subject of that name, anything else a thing.
-- Which attribute: the one whose words the question shares, or whose vector is near its words. When: now, unless the
-- question is in the past: "before" asks for what was replaced last, "first" for what was so at first, a date for what held then.
CREATE OR REPLACE FUNCTION cognifold.asked_state(tenant text, query text, narrow cognifold.narrowing, depth integer, clock timestamptz DEFAULT NULL, given jsonb DEFAULT NULL)
RETURNS TABLE (node_id uuid, strength double precision, answers boolean, replaced_by uuid, valid_from timestamptz, valid_until timestamptz,
               subject text, attribute text, value text)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
-- Each statement looks a few rows up by their keys, whoever the tenant is: one plan, made once.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    moment   timestamptz := least(coalesce(clock, (narrow).as_of, cognifold.now()), (narrow).as_of);
    written  text[];
    words    text[];
    plain    text := lower(left(query, 2000));
    mine     boolean;
    named    text[];
    subjects text[];
    asked    text[];
    question halfvec;
    span     record;
    tense    text := 'now';
    share    double precision;
    minimum  double precision;
    thing    double precision;
    settings jsonb;
    nearness double precision;
BEGIN
    -- Most questions that ask for a state have none of these; those that ask for an event do.
    IF plain ~ '^\W*(why|when (did|was|were|is|are|has|have|will|does)|how (long|many times|often|come)|did|does|do|was|were|is|are|has|have|had|can|could|will|would)\M'
       AND plain !~ '\m(still|now|current|currently)\M' AND plain !~ '^\W*(can|could|would) you\M|^\W*do you (know|remember)\M' THEN
        RETURN;
    END IF;
    written := cognifold.spoken_words(left(query, 2000));
    words := string_to_array(lower(array_to_string(written, ' ')), ' ');
    IF cognifold.speaks_of_past(plain) THEN
        SELECT t.since, t.until, t.rest INTO span FROM cognifold.query_times(query, moment) AS t WHERE t.kind = 'hard' ORDER BY t.until DESC LIMIT 1;
        IF span.until IS NOT NULL AND span.until <= moment THEN
            tense := 'then';
            moment := span.until - interval '1 microsecond';
            words := string_to_array(lower(array_to_string(cognifold.spoken_words(span.rest), ' ')), ' ');
        ELSIF plain ~ '\m(first|originally|original|initially|initial|in the beginning|at first|to begin with)\M' AND plain !~ '\mfirst (name|aid|class)\M' THEN
            tense := 'first';
        ELSIF plain ~ '\m(before|prior|previous|previously|former|formerly|earlier|old|used to|until)\M' THEN
            tense := 'before';
        ELSE
            RETURN;    -- what happened, not what is
        END IF;
    END IF;

    mine := words && ARRAY['i', 'my', 'me', 'mine', 'we', 'our', 'us', 'myself'];
    -- Names of the question: words of actors' names, and of subjects where they are written as names.
    SELECT array_agg(DISTINCT w.word) INTO named
    FROM unnest(words, written[: cardinality(words)]) WITH ORDINALITY AS w (word, form, place)
    WHERE w.word ~ '[[:alnum:]]{2}'
      AND (EXISTS (SELECT FROM cognifold.actor_name AS n WHERE n.tenant_id = tenant AND n.word = w.word COLLATE "C")
           OR (w.place > 1 AND w.form ~ '^[[:upper:]]' OR words[w.place + 1] = '''s' OR w.form ~ '^[[:alpha:]_-]+\d+$')
              AND EXISTS (SELECT FROM cognifold.state_attribute AS a
                          WHERE a.tenant_id = tenant AND (a.subject = w.word COLLATE "C" OR a.subject >= w.word || ' ' COLLATE "C" AND a.subject < w.word || '!' COLLATE "C")))
      AND w.word NOT IN ('what', 'who', 'where', 'which', 'how', 'when', 'whose');
    -- Whose state is meant: actors and subjects of those names.
    IF named IS NOT NULL THEN
        subjects := ARRAY(
            SELECT lower(n.actor) FROM cognifold.actor_name AS n WHERE n.tenant_id = tenant AND n.word = ANY (named)
            UNION
            SELECT c.subject FROM (
                SELECT u.word AS subject FROM unnest(named) AS u (word)
                UNION ALL   -- names of two words, in the order they stand in
                SELECT words[w.place] || ' ' || words[w.place + 1] FROM unnest(words) WITH ORDINALITY AS w (word, place)
                WHERE w.word = ANY (named)) AS c
            WHERE c.subject IS NOT NULL);
        words := ARRAY(SELECT w.word FROM unnest(words) WITH ORDINALITY AS w (word, place) WHERE w.word <> ALL (named) ORDER BY w.place);
    END IF;
    IF named IS NULL THEN   -- ("Where do I reach Anna?" is about Anna)
        subjects := coalesce(subjects, '{}') || CASE
            WHEN (narrow).actors IS NOT NULL THEN ARRAY(SELECT lower(a.actor) FROM unnest((narrow).actors) AS a (actor))
            ELSE ARRAY(SELECT lower(f.actor) FROM cognifold.actor_frequency AS f WHERE f.tenant_id = tenant ORDER BY f.event_count DESC, f.actor LIMIT 100) END || ARRAY[''];
    END IF;
    subjects := coalesce(subjects, '{}') || ARRAY['*'];
    settings := coalesce(given, cognifold.settings(tenant));
    asked := cognifold.attribute_words(words, ARRAY['names', 'asks', 'states', 'former', 'ends']);
    asked := ARRAY(SELECT unnest(asked) UNION SELECT unnest(cognifold.attribute_words(words)));
    IF cardinality(asked) = 0 THEN
        RETURN;
    END IF;
    question := cognifold.embed(array_to_string(ARRAY(SELECT w.word FROM unnest(words) WITH ORDINALITY AS w (word, place)
                                                      WHERE ts_lexize('pg_catalog.english_stem', w.word) <> '{}' ORDER BY w.place), ' '))::halfvec;
    share := (settings ->> 'state.weight_overlap')::double precision;
    thing := (settings ->> 'state.thing_share')::double precision;
    minimum := (settings ->> 'state.minimum_strength')::double precision;
    nearness := (settings ->> 'state.near_best')::double precision;

    RETURN QUERY
    WITH attribute AS MATERIALIZED (
        SELECT a.subject, a.attribute, a.words, a.is_multiple, a.vector
        FROM cognifold.state_attribute AS a
        WHERE a.tenant_id = tenant AND a.subject = ANY (subjects)
        LIMIT (settings ->> 'state.attributes')::integer
    ), fit AS MATERIALIZED (
        SELECT a.subject, a.attribute, a.words, a.is_multiple,
               -- Two signs of one thing: it fits unless both are wrong.
               -- A word of the attribute that the question lacks makes it another ("my aunt's number").
               (1 - (1 - share * (o.common / cardinality(a.words)) ^ 2) * (1 - greatest(coalesce(-(a.vector <#> question), 0), 0)))
               -- So does what is no attribute of a person, or was read from a verb that nobody listed.
               * CASE WHEN a.subject = '*' AND (mine OR named IS NOT NULL) OR a.is_multiple AND NOT EXISTS (SELECT FROM cognifold.state_slot AS l WHERE l.slot = ANY (a.words)) THEN thing ELSE 1 END
               -- Of attributes that fit alike, the one that takes up more of the question.
               * CASE WHEN o.common > 0 THEN sqrt(o.common / cardinality(a.words)) * (0.9 + 0.1 * o.common / least(cardinality(asked), 5)) ELSE 0.9 END AS strength
        FROM attribute AS a
        CROSS JOIN LATERAL (
            SELECT CASE WHEN a.words && asked THEN (SELECT count(*) FROM unnest(a.words) AS w (word) WHERE w.word = ANY (asked)) ELSE 0 END::double precision AS common
        ) AS o
    ), chosen AS MATERIALIZED (
        SELECT f.subject, f.attribute, f.words, f.is_multiple, f.strength
        FROM fit AS f
        WHERE f.strength >= minimum AND f.strength >= nearness * (SELECT max(b.strength) FROM fit AS b)
        ORDER BY f.strength DESC, f.subject, f.attribute
        LIMIT depth
    ), told AS (
        SELECT s.event_id, c.strength, s.polarity, e.ended_by, s.occurred_at,
               CASE s.polarity WHEN 'holds' THEN e.ended_at ELSE s.occurred_at END AS ended_at, s.place, s.subject, s.attribute, s.value, c.is_multiple, c.words
        FROM chosen AS c
        CROSS JOIN LATERAL (
            SELECT s.* FROM cognifold.state_statement AS s
            WHERE s.tenant_id = tenant AND s.subject = c.subject AND s.attribute = c.attribute AND s.occurred_at <= moment
            ORDER BY s.occurred_at DESC, s.event_id DESC, s.place DESC
            LIMIT depth
        ) AS s
        LEFT JOIN LATERAL cognifold.statement_end(s, c.is_multiple, moment, (narrow).known_at) AS e ON true
    ), allowed AS (
        SELECT t.* FROM told AS t
        WHERE NOT coalesce((narrow).narrowed, false) OR EXISTS (
            SELECT FROM cognifold.node AS n
            WHERE n.tenant_id = tenant AND n.id = t.event_id
              AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, narrow))
    ), placed AS (
        SELECT a.*,
               row_number() OVER (PARTITION BY a.subject, a.attribute, a.ended_at IS NULL ORDER BY a.occurred_at DESC, a.event_id DESC, a.place DESC) AS newest,
               row_number() OVER (PARTITION BY a.subject, a.attribute ORDER BY a.occurred_at, a.event_id, a.place) AS oldest
        FROM allowed AS a
    ), judged AS (
        SELECT p.*, CASE tense
                WHEN 'before' THEN p.ended_at IS NOT NULL AND p.newest = 1
                WHEN 'first' THEN p.oldest = 1
                -- of one that ended without a successor, the end is the answer
                ELSE p.ended_at IS NULL OR p.polarity = 'ends' AND p.newest = 1
                     AND NOT EXISTS (SELECT FROM placed AS h WHERE h.subject = p.subject AND h.attribute = p.attribute AND (h.ended_at IS NULL OR h.occurred_at > p.occurred_at)) END AS answers
        FROM placed AS p
    ), latest AS (   -- one thing said in two wordings ("streaming", "streaming service") has one value
        SELECT j.*, n.event_id AS newer, n.occurred_at AS newer_at
        FROM judged AS j
        LEFT JOIN LATERAL (
            SELECT o.event_id, o.occurred_at FROM judged AS o
            WHERE tense IN ('now', 'then') AND j.answers AND o.answers AND NOT j.is_multiple AND NOT o.is_multiple
              AND o.subject = j.subject AND o.attribute <> j.attribute AND o.words && j.words AND o.words <@ asked AND j.words <@ asked AND (o.occurred_at, o.event_id) > (j.occurred_at, j.event_id)
            ORDER BY o.occurred_at, o.event_id LIMIT 1
        ) AS n ON true
    )
    SELECT r.event_id, r.strength, r.answers, r.ended_by, r.occurred_at, r.ended_at, r.subject, r.attribute, r.value
    FROM (
        SELECT DISTINCT ON (j.event_id) j.event_id, j.answers, j.ended_by, j.occurred_at, j.ended_at, j.subject, j.attribute, j.value,
               -- Of several that hold, the latest first: by so little that the fit decides before.
               j.strength * (1 - 0.05 * least(j.rank, 4)) AS strength
        FROM (SELECT l.event_id, l.answers AND l.newer IS NULL AS answers, coalesce(l.ended_by, l.newer) AS ended_by, l.occurred_at, coalesce(l.ended_at, l.newer_at) AS ended_at,
                     l.subject, l.attribute, l.value, l.strength, l.place,
                     dense_rank() OVER (PARTITION BY l.answers AND l.newer IS NULL ORDER BY l.occurred_at DESC, l.event_id DESC) - 1 AS rank
              FROM (SELECT l.*, bool_or(l.ended_at IS NOT NULL OR l.newer IS NOT NULL) OVER (PARTITION BY l.subject, l.attribute) AS changed FROM latest AS l) AS l
              -- Where nothing ever changed and nobody asks for the present, likeness alone decides.
              WHERE l.changed AND NOT (l.is_multiple AND l.answers) OR plain ~ '\m(now|current|currently|still|nowadays|these days|at the moment|at present|presently|today|as of)\M') AS j
        ORDER BY j.event_id, j.answers DESC, j.strength DESC, j.place DESC
    ) AS r
    ORDER BY r.answers DESC, r.strength DESC, r.occurred_at DESC, r.event_id
    LIMIT depth;
END
$$;
COMMENT ON FUNCTION cognifold.asked_state(text, text, cognifold.narrowing, integer, timestamptz, jsonb) IS
    'The statements about the subject and attribute that a question asks for: strength in [0, 1], how well the attribute fits the question; answers: it holds (at the moment the question speaks of), or is the earlier one asked for; replaced_by and valid_until as of then. No row for a question that asks for no state. Internal.';
