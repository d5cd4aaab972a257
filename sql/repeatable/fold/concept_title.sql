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
    FOR candidate IN
        WITH said AS MATERIALIZED (
            SELECT n.id, m.place, regexp_replace(replace(m.word[1], '’', ''''), '''s?$', '') AS form
            FROM cognifold.node AS n
            JOIN cognifold.node_content AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
            CROSS JOIN LATERAL regexp_matches(left(cognifold.indexed_text(n.title, c.content), 4000),
                                              '[[:alpha:]][[:alnum:]]*(?:[-''’][[:alnum:]]+)*', 'g') WITH ORDINALITY AS m (word, place)
            WHERE n.tenant_id = tenant AND n.id = ANY (events)
        ), spelling AS MATERIALIZED (   -- each once; no stop words, contractions or small talk: none says what it is about
            SELECT s.form, (ts_lexize('pg_catalog.english_stem', lower(s.form)))[1] COLLATE "C" AS stem,
                   -- "Morning" is no subject, "morning run" is one.
                   lower(s.form) ~ '^((mon|tues|wednes|thurs|fri|satur|sun)days?|(jan|febr)uary|march|april|june|july|august|(septem|octo|novem|decem)ber|(to|yester)day|tomorrow|tonight|mornings?|evenings?|afternoons?|nights?|weekends?|(date|week|day|month|year|hour|minute|second|hr|min|sec)s?)$' AS is_calendar,
                   -- What was done, or how, says less than what it was done to.
                   CASE WHEN lower(s.form) ~ '(ed|ly)$' OR lower(s.form) = ANY (past_tense) THEN 0.4 ELSE 1 END AS subject
            FROM (SELECT DISTINCT s.form FROM said AS s WHERE length(s.form) >= 3 AND s.form !~ '''') AS s
            WHERE ts_lexize('pg_catalog.english_stem', lower(s.form)) <> '{}'
              AND lower(s.form) <> ALL (cognifold.small_talk())
              -- "Anna", and "Ann" for her: names of those present; but "car" is not short for Carol.
              -- (Two looks, each a range of the key: all names of a large tenant would take longer than the rest.)
              AND NOT EXISTS (SELECT FROM cognifold.actor_name AS a WHERE a.tenant_id = tenant AND a.word = lower(s.form))
              AND NOT (s.form ~ '^[[:upper:]]' AND EXISTS (
                  SELECT FROM cognifold.actor_name AS a
                  WHERE a.tenant_id = tenant AND a.word > lower(s.form) AND a.word < lower(s.form) || '~'))
        ), weighed AS MATERIALIZED (
            SELECT p.form, p.stem, p.is_calendar, p.subject, f.document_count AS documents, l.stems,
                   CASE WHEN p.is_calendar THEN 0 ELSE l.weight END AS weight, l.nearness
            FROM spelling AS p
            CROSS JOIN LATERAL (   -- a hyphenated word is as rare as its rarest part
                SELECT array_agg(cognifold.lexeme(part.word)) AS stems, max(coalesce(l.document_weight, 1)) AS weight,
                       max(coalesce(greatest(-(l2_normalize(l.document_vector) <#> middle::halfvec), 0), 0.1)) AS nearness
                FROM string_to_table(lower(p.form), '-') AS part (word)
                LEFT JOIN LATERAL (SELECT * FROM cognifold.lexicon AS l WHERE l.word = part.word LIMIT 1) AS l ON true
            ) AS l
            LEFT JOIN LATERAL (
                SELECT f.document_count FROM cognifold.lexeme_frequency AS f WHERE f.tenant_id = tenant AND f.lexeme = p.stem LIMIT 1
            ) AS f ON true
        ), word AS MATERIALIZED (
            SELECT s.id, s.place, w.* FROM said AS s JOIN weighed AS w ON w.form = s.form
        ), single AS (
            SELECT w.stem AS phrase, min(w.stems) AS stems, count(DISTINCT w.id) AS holders,
                   count(DISTINCT w.id) * ln((statistics + 1) / greatest(coalesce(max(w.documents), 1), 1)) * max(w.weight) * max(w.subject) AS salience,
                   max(w.nearness) AS nearness,
                   -- A capital may only begin a sentence.
                   coalesce(mode() WITHIN GROUP (ORDER BY w.form) FILTER (WHERE w.form = lower(w.form)), mode() WITHIN GROUP (ORDER BY w.form)) AS form
            FROM word AS w
            WHERE NOT w.is_calendar
            GROUP BY w.stem
        ), pair AS (
            SELECT a.stem || ' ' || b.stem AS phrase, min(a.stems) || min(b.stems) AS stems, count(DISTINCT a.id) AS holders,
                   -- In how many events the pair stands is not counted anywhere: at most in those of its rarer word.
                   1.5 * count(DISTINCT a.id)
                   * ln((statistics + 1) / greatest(least(max(coalesce(a.documents, 1)), max(coalesce(b.documents, 1))), count(DISTINCT a.id)))
                   * greatest(max(a.weight), max(b.weight)) AS salience,
                   greatest(max(a.nearness), max(b.nearness)) AS nearness,
                   coalesce(mode() WITHIN GROUP (ORDER BY a.form || ' ' || b.form) FILTER (WHERE a.form || b.form = lower(a.form || b.form)),
                            mode() WITHIN GROUP (ORDER BY a.form || ' ' || b.form)) AS form
            FROM word AS a JOIN word AS b ON b.id = a.id AND b.place = a.place + 1 AND b.stem <> a.stem AND NOT b.is_calendar
            GROUP BY a.stem, b.stem
            HAVING count(DISTINCT a.id) >= 2
        )
        SELECT c.* FROM (
            SELECT s.phrase, s.stems, s.holders, s.salience, s.nearness, s.form FROM single AS s
            UNION ALL
            SELECT p.phrase, p.stems, p.holders, p.salience, p.nearness, p.form FROM pair AS p
        ) AS c
        ORDER BY c.holders >= 2 DESC, c.salience * CASE WHEN c.holders >= 2 THEN 1 ELSE c.nearness END DESC, c.phrase
        LIMIT 30
    LOOP
        CONTINUE WHEN candidate.stems && stems;
        -- What only one event says serves to make the heading two words, no more.
        EXIT WHEN candidate.holders < 2 AND cardinality(parts) >= 2;
        EXIT WHEN cardinality(parts) >= 3;
        EXIT WHEN candidate.holders >= 2 AND cardinality(parts) >= 2 AND candidate.salience < greatest(1, first / 4);
        CONTINUE WHEN candidate.holders >= 2 AND cardinality(parts) < 2 AND candidate.salience < 1;
        first := coalesce(first, candidate.salience);
        stems := stems || candidate.stems;
        parts := parts || candidate.form;
    END LOOP;
    IF parts = '{}' THEN
        RETURN (SELECT n.title FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = events[1]);
    END IF;
    RETURN (SELECT upper(left(t.title, 1)) || substr(t.title, 2) FROM array_to_string(parts, ', ') AS t (title));
END
$$;
COMMENT ON FUNCTION cognifold.concept_title(text, uuid[]) IS
    'A heading for a group of events: up to three words or neighbouring pairs that at least two of them share, ranked by (events holding it) * ln((N + 1) / n) * document weight; if they share fewer than two, their single words nearest to the mean of their vectors. Names of actors and small talk are left out, calendar words too unless another follows ("morning run"), and verbs in the past weigh less. Internal.';
