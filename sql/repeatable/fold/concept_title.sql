-- concept_title: a heading for events that belong together: up to three words or pairs of words that they share and few
-- others have.
CREATE OR REPLACE FUNCTION cognifold.concept_title(tenant text, events uuid[]) RETURNS text
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    statistics double precision := (SELECT s.document_count FROM cognifold.lexical_statistics AS s WHERE s.tenant_id = tenant);
    candidate  record;
    stems      text[] := '{}';
    parts      text[] := '{}';
    first      double precision;
BEGIN
    FOR candidate IN
        WITH said AS (
            SELECT n.id, m.place, regexp_replace(replace(m.word[1], '’', ''''), '''s?$', '') AS form
            FROM cognifold.node AS n
            JOIN cognifold.node_content AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
            CROSS JOIN LATERAL regexp_matches(left(cognifold.indexed_text(n.title, c.content), 4000),
                                              '[[:alpha:]][[:alnum:]]*(?:[-''’][[:alnum:]]+)*', 'g') WITH ORDINALITY AS m (word, place)
            WHERE n.tenant_id = tenant AND n.id = ANY (events)
        ), word AS (   -- no stop words, names, contractions, days or months: none of them says what it is about
            SELECT s.id, s.place, s.form, (ts_lexize('pg_catalog.english_stem', lower(s.form)))[1] COLLATE "C" AS stem
            FROM said AS s
            WHERE length(s.form) >= 3 AND s.form !~ ''''
              AND ts_lexize('pg_catalog.english_stem', lower(s.form)) <> '{}'
              AND lower(s.form) !~ '^((mon|tues|wednes|thurs|fri|satur|sun)days?|(jan|febr)uary|march|april|june|july|august|(septem|octo|novem|decem)ber|today|yesterday|tomorrow|tonight|mornings?|evenings?|afternoons?|weeks?|days?|months?|minutes?|hours?)$'
              AND NOT EXISTS (SELECT FROM cognifold.actor_name AS a WHERE a.tenant_id = tenant AND a.word = lower(s.form))
        ), weighed AS (
            SELECT w.id, w.place, w.form, w.stem,
                   -- A hyphenated word is as rare as its rarest part.
                   (SELECT max(coalesce((SELECT l.document_weight FROM cognifold.lexicon AS l WHERE l.word = p.part), 1))
                    FROM string_to_table(lower(w.form), '-') AS p (part)) AS weight,
                   (SELECT f.document_count FROM cognifold.lexeme_frequency AS f WHERE f.tenant_id = tenant AND f.lexeme = w.stem) AS documents
            FROM word AS w
        ), single AS (
            SELECT w.stem AS phrase, ARRAY[w.stem] AS stems, count(DISTINCT w.id) AS holders,
                   count(DISTINCT w.id) * ln((statistics + 1) / greatest(coalesce(max(w.documents), 1), 1)) * max(w.weight) AS salience,
                   mode() WITHIN GROUP (ORDER BY w.form) AS form
            FROM weighed AS w
            GROUP BY w.stem
        ), pair AS (
            SELECT a.stem || ' ' || b.stem AS phrase, ARRAY[a.stem, b.stem] AS stems, count(DISTINCT a.id) AS holders,
                   -- In how many events the pair stands is not counted anywhere: at most in those of its rarer word.
                   1.5 * count(DISTINCT a.id)
                   * ln((statistics + 1) / greatest(least(max(coalesce(a.documents, 1)), max(coalesce(b.documents, 1))), count(DISTINCT a.id)))
                   * greatest(max(a.weight), max(b.weight)) AS salience,
                   mode() WITHIN GROUP (ORDER BY a.form || ' ' || b.form) AS form
            FROM weighed AS a JOIN weighed AS b ON b.id = a.id AND b.place = a.place + 1 AND b.stem <> a.stem
            GROUP BY a.stem, b.stem
            HAVING count(DISTINCT a.id) >= 2
        )
        SELECT c.* FROM (SELECT * FROM single UNION ALL SELECT * FROM pair) AS c
        ORDER BY c.holders >= 2 DESC, c.salience DESC, c.phrase
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
    'A heading for a group of events: up to three words or neighbouring pairs that at least two of them share, ranked by (events holding it) * ln((N + 1) / n) * a / (a + frequency); names of actors and calendar words are left out. Internal.';
