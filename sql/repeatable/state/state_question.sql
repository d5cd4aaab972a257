-- state_question: what state a question asks for: in which words, of whom, and as of when; no row where it asks for none.
--
-- Whom the question is about: I and my are those who speak, a name is the actor or subject of that name, anything else a thing.
-- When: now, unless the question is in the past: "before" asks for what was replaced last, "first" for what was so at first, a
-- date for what held then.
CREATE OR REPLACE FUNCTION cognifold.state_question(tenant text, query text, narrow cognifold.narrowing, until timestamptz, rest text)
RETURNS TABLE (words text[], asked text[], subjects text[], of_person boolean, tense text, moment timestamptz)
LANGUAGE plpgsql STABLE ROWS 1
SET search_path FROM CURRENT
-- Each statement looks a few rows up by their keys, whoever the tenant is: one plan, made once.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    plain   text := lower(left(query, 2000));
    written text[];
    mine    boolean;
    named   text[];
BEGIN
    -- Most questions that ask for a state have none of these; those that ask for an event do.
    IF plain ~ '^\W*(why|when (did|was|were|is|are|has|have|will|does)|how (long|many times|often|come)|did|does|do|was|were|is|are|has|have|had|can|could|will|would)\M'
       AND plain !~ '\m(still|now|current|currently)\M' AND plain !~ '^\W*(can|could|would) you\M|^\W*do you (know|remember)\M' THEN
        RETURN;
    END IF;
    written := cognifold.spoken_words(left(query, 2000));
    words := string_to_array(lower(array_to_string(written, ' ')), ' ');
    moment := coalesce((narrow).as_of, cognifold.now());
    tense := 'now';
    IF cognifold.speaks_of_past(plain) THEN
        IF until <= moment THEN
            tense := 'then';
            moment := until - interval '1 microsecond';
            words := string_to_array(lower(array_to_string(cognifold.spoken_words(rest), ' ')), ' ');
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
    of_person := mine OR named IS NOT NULL;
    asked := cognifold.attribute_words(words, ARRAY['names', 'asks', 'states', 'former', 'ends']);
    asked := ARRAY(SELECT unnest(asked) UNION SELECT unnest(cognifold.attribute_words(words)));
    IF cardinality(asked) > 0 THEN
        RETURN NEXT;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.state_question(text, text, cognifold.narrowing, timestamptz, text) IS
    'A question read as one for a state: its words without names, the attributes they may mean (attribute_words), the subjects it may be about, whether that is a person, and as of when: tense now, then (the moment before until, the end of the latest date it speaks of; rest is the question without it), first or before. No row where it asks for what happened. Internal.';
