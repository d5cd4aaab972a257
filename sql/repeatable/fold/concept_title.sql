-- concept_title: a heading for events that belong together: up to three words or pairs of words that they share and few
-- others have; where they share too few, their own words nearest to what they are about.
CREATE OR REPLACE FUNCTION cognifold.concept_title(tenant text, events uuid[]) RETURNS text
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    own        cognifold.embedding_model := cognifold.tenant_model(tenant);
    statistics double precision := (SELECT s.document_count FROM cognifold.lexical_statistics AS s WHERE s.tenant_id = tenant);
    middle     vector;
    candidate  record;
    shared     boolean;   -- by two events or more
    seen       integer := 0;
    stems      text[] := '{}';
    parts      text[] := '{}';
    first      double precision;
    -- Irregular ones; the others end in -ed.
    past_tense CONSTANT text[] := ARRAY[
        'ate', 'became', 'began', 'begun', 'bought', 'broke', 'broken', 'brought', 'built', 'came', 'caught', 'chose', 'chosen', 'cut', 'did', 'drank',
        'drew', 'drove', 'driven', 'eaten', 'fell', 'fallen', 'fed', 'flew', 'forgot', 'forgotten', 'found', 'fought', 'froze', 'frozen', 'gave', 'given', 'grew', 'grown',
        'held', 'hid', 'hidden', 'hit', 'hung', 'hurt', 'laid', 'led', 'left', 'lent', 'lit', 'lost', 'met', 'paid', 'ran', 'rang', 'read', 'rode', 'rose', 'sang',
        'sat', 'sent', 'shook', 'shot', 'shown', 'shut', 'slept', 'sold', 'spent', 'stole', 'stolen', 'stood', 'struck', 'swam', 'taken', 'taught', 'threw',
        'thrown', 'woke', 'woken', 'won', 'wore', 'worn', 'written', 'wrote'];
BEGIN
    IF own.provider = 'lexicon' THEN
        SELECT l2_normalize(avg(e.vector::vector)) INTO middle
        FROM cognifold.embedding AS e
        WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = ANY (events);
    END IF;
    -- What only one event says serves to make the heading two words, no more: it is looked at where the shared words make fewer.
    FOREACH shared IN ARRAY ARRAY[true, false] LOOP
        EXIT WHEN cardinality(parts) >= 2;
        FOR candidate IN
            WITH said AS MATERIALIZED (
                SELECT n.id, m.place, regexp_replace(replace(m.word[1], '’', ''''), '''s?$', '') AS form
                FROM cognifold.node AS n
                JOIN cognifold.node_content AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
                CROSS JOIN LATERAL regexp_matches(left(cognifold.indexed_text(n.title, c.content), 4000),
                                                  '[[:alpha:]][[:alnum:]]*(?:[-''’][[:alnum:]]+)*', 'g') WITH ORDINALITY AS m (word, place)
                WHERE n.tenant_id = tenant AND n.id = ANY (events)
            ), spelling AS MATERIALIZED (   -- each once; no stop words, contractions or small talk: none says what it is about
                SELECT s.form, s.ids, s.places, s.stems[1] COLLATE "C" AS stem,
                       sum(cardinality(s.ids)) OVER (PARTITION BY s.stems[1] COLLATE "C") AS occurrences
                FROM (SELECT s.form, array_agg(s.id) AS ids, array_agg(s.place) AS places, ts_lexize('pg_catalog.english_stem', lower(s.form)) AS stems
                      FROM said AS s WHERE length(s.form) BETWEEN 3 AND 40 AND s.form !~ '''' GROUP BY s.form) AS s
                WHERE s.stems <> '{}'
                  AND lower(s.form) <> ALL (cognifold.small_talk())
                  -- "Anna", and "Ann" for her: names of those present; but "car" is not short for Carol.
                  -- (Two looks, each a range of the key: all names of a large tenant would take longer than the rest.)
                  AND NOT EXISTS (SELECT FROM cognifold.actor_name AS a WHERE a.tenant_id = tenant AND a.word = lower(s.form))
                  AND NOT (s.form ~ '^[[:upper:]]' AND EXISTS (
                      SELECT FROM cognifold.actor_name AS a
                      WHERE a.tenant_id = tenant AND a.word > lower(s.form) AND a.word < lower(s.form) || '~'))
            ), spoken AS MATERIALIZED (
                SELECT p.form, p.ids, p.places, p.stem,
                       -- "Morning" is no subject, "morning run" is one.
                       lower(p.form) ~ '^((mon|tues|wednes|thurs|fri|satur|sun)days?|(jan|febr)uary|march|april|june|july|august|(septem|octo|novem|decem)ber|(to|yester)day|tomorrow|tonight|mornings?|evenings?|afternoons?|nights?|weekends?|(date|week|day|month|year|hour|minute|second|hr|min|sec)s?)$' AS is_calendar,
                       -- What was done, or how, says less than what it was done to.
                       CASE WHEN lower(p.form) ~ '(ed|ly)$' OR lower(p.form) = ANY (past_tense) THEN 0.4 ELSE 1 END AS subject
                FROM spelling AS p
                WHERE p.occurrences >= 2 OR NOT shared
            ), weighed AS MATERIALIZED (
                SELECT p.form, p.ids, p.places, p.stem, p.is_calendar, p.subject, f.document_count AS documents, l.stems,
                       CASE WHEN p.is_calendar THEN 0 ELSE l.weight END AS weight, l.nearness
                FROM spoken AS p
                CROSS JOIN LATERAL (   -- a hyphenated word is as rare as its rarest part
                    SELECT array_agg(cognifold.lexeme(part.word)) AS stems, max(coalesce(l.document_weight, 1)) AS weight,
                           max(coalesce(greatest(-(l2_normalize(l.document_vector) <#> middle::halfvec), 0), 0.1)) AS nearness
                    FROM string_to_table(lower(p.form), '-') AS part (word)
                    LEFT JOIN LATERAL (SELECT * FROM cognifold.lexicon AS l WHERE l.word = part.word LIMIT 1) AS l ON true
                ) AS l
                LEFT JOIN LATERAL (
                    SELECT f.document_count FROM cognifold.lexeme_frequency AS f WHERE f.tenant_id = tenant AND f.lexeme = p.stem LIMIT 1
                ) AS f ON true
            ), word AS MATERIALIZED (   -- where each stands
                SELECT o.id, o.place, w.form, w.stem, w.is_calendar, w.subject, w.documents, w.stems, w.weight, w.nearness
                FROM weighed AS w CROSS JOIN LATERAL unnest(w.ids, w.places) AS o (id, place)
            ), single AS (
                SELECT w.stem AS phrase, min(w.stems) AS stems, count(DISTINCT w.id) AS holders,
                       count(DISTINCT w.id) * ln((statistics + 1) / greatest(coalesce(max(w.documents), 1), 1)) * max(w.weight) * max(w.subject) AS salience,
                       max(w.nearness) AS nearness,
                       -- A capital may only begin a sentence.
                       coalesce(mode() WITHIN GROUP (ORDER BY w.form) FILTER (WHERE w.form = lower(w.form)), mode() WITHIN GROUP (ORDER BY w.form)) AS form
                FROM word AS w
                WHERE NOT w.is_calendar
                GROUP BY w.stem
            ), following AS (   -- each with the word after it, where one stands there
                SELECT w.*, lead(w.place) OVER in_order AS next_place, lead(w.form) OVER in_order AS next_form, lead(w.stem) OVER in_order AS next_stem,
                       lead(w.is_calendar) OVER in_order AS next_is_calendar, lead(w.stems) OVER in_order AS next_stems,
                       lead(coalesce(w.documents, 1)) OVER in_order AS next_documents, lead(w.weight) OVER in_order AS next_weight,
                       lead(w.nearness) OVER in_order AS next_nearness
                FROM word AS w
                WINDOW in_order AS (PARTITION BY w.id ORDER BY w.place)
            ), pair AS (
                SELECT f.stem || ' ' || f.next_stem AS phrase, min(f.stems) || min(f.next_stems) AS stems, count(DISTINCT f.id) AS holders,
                       -- In how many events the pair stands is not counted anywhere: at most in those of its rarer word.
                       1.5 * count(DISTINCT f.id)
                       * ln((statistics + 1) / greatest(least(max(coalesce(f.documents, 1)), max(f.next_documents)), count(DISTINCT f.id)))
                       * greatest(max(f.weight), max(f.next_weight)) AS salience,
                       greatest(max(f.nearness), max(f.next_nearness)) AS nearness,
                       coalesce(mode() WITHIN GROUP (ORDER BY f.form || ' ' || f.next_form) FILTER (WHERE f.form || f.next_form = lower(f.form || f.next_form)),
                                mode() WITHIN GROUP (ORDER BY f.form || ' ' || f.next_form)) AS form
                FROM following AS f
                WHERE f.next_place = f.place + 1 AND f.next_stem <> f.stem AND NOT f.next_is_calendar
                GROUP BY f.stem, f.next_stem
                HAVING count(DISTINCT f.id) >= 2
            )
            SELECT c.* FROM (
                SELECT s.phrase, s.stems, s.holders, s.salience, s.nearness, s.form FROM single AS s
                UNION ALL
                SELECT p.phrase, p.stems, p.holders, p.salience, p.nearness, p.form FROM pair AS p
            ) AS c
            WHERE (c.holders >= 2) = shared
            ORDER BY c.salience * CASE WHEN shared THEN 1 ELSE c.nearness END DESC, c.phrase
            LIMIT 30 - seen
        LOOP
            seen := seen + 1;
            CONTINUE WHEN candidate.stems && stems;
            EXIT WHEN cardinality(parts) >= CASE WHEN shared THEN 3 ELSE 2 END;
            EXIT WHEN shared AND cardinality(parts) >= 2 AND candidate.salience < greatest(1, first / 4);
            CONTINUE WHEN shared AND cardinality(parts) < 2 AND candidate.salience < 1;
            first := coalesce(first, candidate.salience);
            stems := stems || candidate.stems;
            parts := parts || candidate.form;
        END LOOP;
    END LOOP;
    IF parts = '{}' THEN
        RETURN (SELECT n.title FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = events[1]);
    END IF;
    RETURN (SELECT upper(left(t.title, 1)) || substr(t.title, 2) FROM array_to_string(parts, ', ') AS t (title));
END
$$;
COMMENT ON FUNCTION cognifold.concept_title(text, uuid[]) IS
    'A heading for a group of events: up to three words or neighbouring pairs that at least two of them share, ranked by (events holding it) * ln((N + 1) / n) * document weight; if they share fewer than two, their single words nearest to the mean of their vectors. Names of actors and small talk are left out, calendar words too unless another follows ("morning run"), and verbs in the past weigh less. Internal.';
