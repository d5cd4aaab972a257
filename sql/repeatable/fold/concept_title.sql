-- concept_title: a heading for events that belong together: up to three noun-like words or phrases that they share and few
-- others have; where they share none, their own phrases nearest to what they are about: "Ladder / landlord's nephew" claims no more.
--
-- A phrase is a word or two that stand side by side. Whether a word is a noun is read off the texts themselves: off
-- what stands before it ("the pool", but "we pool"), what follows, its ending and its capital.
CREATE OR REPLACE FUNCTION cognifold.concept_title(tenant text, events uuid[], concept uuid DEFAULT NULL) RETURNS text
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
    words      integer := 0;
    shared     boolean;   -- by two events or more
    is_taken   boolean := false;
    holder     uuid;
    separator  text := ', ';
    spare      text;
    part       text;
    first      double precision;
BEGIN
    IF own.provider = 'lexicon' THEN
        SELECT l2_normalize(avg(e.vector::vector)) INTO middle
        FROM cognifold.embedding AS e
        WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = ANY (events);
    END IF;
    -- What only one event says is looked at where they share nothing that can stand in a heading.
    FOREACH shared IN ARRAY ARRAY[true, false] LOOP
        FOR candidate IN
            WITH said AS MATERIALIZED (   -- words, and what parts them: numbers, points, ends of lines
                SELECT n.id, m.place, m.word[1] AS form, lag(lower(m.word[1])) OVER (PARTITION BY n.id ORDER BY m.place) AS before,
                       -- A title of its own stands before the text; one that was taken from the text says no more than it.
                       NOT starts_with(c.content, n.title) AND m.place <= h.words AS is_titled
                FROM cognifold.node AS n
                JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
                CROSS JOIN LATERAL regexp_matches(left(replace(cognifold.indexed_text(n.title, c.content), '’', ''''), 2000),
                                                  -- a possessive ends a phrase: its s is a word of its own
                                                  '[[:alpha:]][[:alnum:]]*(?:-[[:alnum:]]+|''(?:[^s[:space:][:punct:]]|s[[:alnum:]])[[:alnum:]]*)*'
                                                  '|[0-9][^ \n]*|[^ [:alnum:]]+', 'g') WITH ORDINALITY AS m (word, place)
                CROSS JOIN LATERAL (SELECT cardinality(string_to_array(n.title, ' ')) AS words) AS h
                WHERE n.tenant_id = tenant AND n.id = ANY (events)
            ), form AS (
                SELECT s.form, lower(s.form) AS word, array_agg(s.id) AS ids, array_agg(s.place) AS places, array_agg(s.before) AS befores,
                       array_agg(s.is_titled) AS titled
                FROM said AS s
                WHERE length(s.form) BETWEEN 3 AND 40
                GROUP BY s.form
            ), spelling AS (   -- none that says nothing of what the text is about
                SELECT s.form, s.ids, s.places, s.befores, s.titled, s.stems[1] COLLATE "C" AS stem,
                       sum(cardinality(s.ids)) OVER (PARTITION BY s.stems[1] COLLATE "C") AS occurrences,
                       s.stems[1] = ANY (ARRAY[   -- "morning" is no subject, "morning run" is one
                           'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday', 'januari', 'februari', 'march', 'april', 'june', 'juli', 'august',
                           'septemb', 'octob', 'novemb', 'decemb', 'today', 'yesterday', 'tomorrow', 'tonight', 'morn', 'even', 'afternoon', 'night', 'weekend', 'date',
                           'week', 'day', 'month', 'year', 'hour', 'noon', 'midnight', 'teatim',
                           'north', 'south', 'east', 'west', 'kilo', 'litr', 'metr', 'mile', 'degre', 'percent', 'unit', 'man', 'men', 'woman', 'women'])
                       OR NOT (s.form <> s.word AND EXISTS (SELECT FROM unnest(s.befores) AS b (word) WHERE b.word ~ '[[:alpha:]]$'))   -- "Mr Green"
                          AND s.stems[1] = ANY (ARRAY[   -- "green" is none, "green light" is one
                           'red', 'blue', 'green', 'black', 'white', 'brown', 'yellow', 'grey', 'gray', 'pink', 'purpl', 'dark', 'dri', 'wet', 'hot', 'warm', 'empti', 'dirti',
                           'clean', 'loud', 'heavi', 'soft', 'thick', 'thin']) AS is_vague
                FROM (SELECT f.*, ts_lexize('pg_catalog.english_stem', f.word) AS stems FROM form AS f
                      WHERE f.word ~ '^[[:alpha:]][^'']*$' AND f.word <> ALL (cognifold.small_talk())
                        -- nor "top-up", nor "reads" where "read" is none
                        AND split_part(f.word, '-', 1) <> ALL (cognifold.plain_words()) AND rtrim(f.word, 's') <> ALL (cognifold.plain_words()) OFFSET 0) AS s
                WHERE s.stems <> '{}'
                  -- "checked", "swapped"; but "shed" is a thing
                  AND NOT (s.form ~ '[[:lower:]]{2}ed$' AND EXISTS (
                      SELECT FROM cognifold.lexicon AS l
                      WHERE l.word IN (left(s.word, -2), left(s.word, -1), left(s.word, -3), left(s.word, -3) || 'y') AND length(l.word) >= 3))
                  AND NOT (s.form ~ '[[:lower:]]{3}ly$' AND EXISTS (
                      SELECT FROM cognifold.lexicon AS l WHERE l.word IN (left(s.word, -2), left(s.word, -3) || 'y', left(s.word, -1) || 'e') OR s.word ~ 'ically$' AND l.word = left(s.word, -4)))
            ), weighed AS (
                SELECT p.form, p.ids, p.places, p.befores, p.titled, p.stem, p.is_vague, l.stems, l.nearness,
                       CASE WHEN p.is_vague THEN 0 ELSE l.weight END   -- unknown where it is not looked at
                       * ln((statistics + 1) / greatest(least(coalesce((
                           SELECT f.document_count FROM cognifold.lexeme_frequency AS f
                           WHERE f.tenant_id = tenant AND f.lexeme = p.stem AND l.weight IS NOT NULL LIMIT 1), 1), statistics), 1)) AS rarity
                FROM spelling AS p
                CROSS JOIN LATERAL (   -- a hyphenated word is as rare as its rarest part
                    SELECT array_agg(cognifold.lexeme(part.word)) AS stems, max(coalesce(l.document_weight, 1)) AS weight,
                           max(greatest(coalesce(-(l2_normalize(l.document_vector) <#> middle::halfvec), 0.1), 0)) AS nearness
                    FROM string_to_table(lower(p.form), '-') AS part (word)
                    LEFT JOIN LATERAL (SELECT * FROM cognifold.lexicon AS l WHERE l.word = part.word LIMIT 1) AS l ON true
                    WHERE p.occurrences >= 2 OR NOT shared
                ) AS l
                WHERE CASE WHEN shared AND p.occurrences < 2 THEN true ELSE
                  -- "Anna", and "Ann" for her: names of those present; but "car" is not short for Carol.
                  -- (Two looks, each a range of the key: all names of a large tenant would take longer than the rest.)
                  NOT EXISTS (SELECT FROM cognifold.actor_name AS a WHERE a.tenant_id = tenant AND a.word = lower(p.form))
                  AND NOT (p.form ~ '^[[:upper:]]' AND EXISTS (
                      SELECT FROM cognifold.actor_name AS a
                      WHERE a.tenant_id = tenant AND a.word > lower(p.form) AND a.word < lower(p.form) || '~')) END
            ), placed AS (   -- where each stands
                SELECT o.id, o.place, w.form, w.stem, w.is_vague, w.stems, w.rarity, w.nearness,
                       lead(o.place) OVER in_order IS DISTINCT FROM o.place + 1 AS is_last,
                       o.before, o.is_titled
                FROM weighed AS w CROSS JOIN LATERAL unnest(w.ids, w.places, w.befores, w.titled) AS o (id, place, before, is_titled)
                WINDOW in_order AS (PARTITION BY o.id ORDER BY o.place)
            ), seen AS (
                SELECT p.*, row_number() OVER (PARTITION BY p.stem, p.id ORDER BY p.place) = 1 AS is_new,
                       p.is_last AND (p.before ~ '^[0-9]|[[:alpha:]]-[[:alpha:]]' OR p.before = ANY (ARRAY[
                           'the', 'a', 'an', 'this', 'that', 'these', 'those', 'my', 'your', 'his', 'her', 'its', 'our', 'their', 's', 'some', 'any', 'no', 'every', 'each',
                           'both', 'many', 'few', 'more', 'new', 'old', 'same', 'other', 'another', 'own', 'of', 'in', 'on', 'at', 'for', 'with', 'from', 'by', 'about', 'into', 'over'])) AS is_noun,
                       -- "we pool", "to pool"; "so calm", "is calming"
                       p.before ~ '''(t|ll|d|ve|re|m)$' OR p.before = ANY (ARRAY[
                           'i', 'we', 'you', 'he', 'she', 'they', 'it', 'who', 'which', 'to', 'will', 'would', 'can', 'could', 'should', 'must', 'might', 'do', 'does', 'did',
                           'let', 'please', 'so', 'very', 'too', 'really', 'is', 'was', 'are', 'were', 'be', 'been', 'how', 'quite', 'feel', 'feels', 'felt', 'feeling', 'super']) AS is_verb,
                       p.stem ~ '(tion|ment|ship|ist|ism|anc|enc|er|or|age|ss)$' AS is_like_noun,
                       lower(p.form) ~ '(ing|ful|ous|ive|[ai]ble|ish|less)$' OR u.is_undone AS is_like_adjective, lower(p.form) ~ 'ing$' OR u.is_undone AS is_participle,
                       p.form ~ '^[[:upper:]]' AS is_capital, p.form ~ '^[[:upper:]]' AND p.before ~ '[[:alpha:]]$' AS is_name
                FROM placed AS p
                CROSS JOIN LATERAL (   -- "unmatched", "unknown"; but "union"
                    SELECT p.form ~ '^[Uu]n[[:lower:]]{4}' AND EXISTS (
                        SELECT FROM cognifold.lexicon AS l
                        WHERE l.word = substr(lower(p.form), 3) OR p.form ~ 'ed$' AND l.word IN (substr(lower(left(p.form, -2)), 3), substr(lower(left(p.form, -1)), 3))) AS is_undone
                    OFFSET 0) AS u
                WHERE p.rarity IS NOT NULL
            ), word AS (
                SELECT p.*, count(*) FILTER (WHERE p.is_new) OVER same AS holders,
                       CASE WHEN bool_and(p.is_capital) OVER same AND bool_or(p.is_name) OVER same THEN 1
                            ELSE (0.6 + count(*) FILTER (WHERE p.is_noun) OVER same + CASE WHEN p.is_like_noun THEN 1 ELSE 0 END)
                                 / (1 + count(*) FILTER (WHERE p.is_noun OR p.is_verb) OVER same + CASE WHEN p.is_like_noun THEN 1 ELSE 0 END
                                    + CASE WHEN p.is_like_adjective THEN 0.5 ELSE 0 END) END AS noun,
                       p.is_participle AND count(*) FILTER (WHERE p.is_noun) OVER same = 0 AS is_loose   -- "three mornings running"
                FROM seen AS p
                WINDOW same AS (PARTITION BY p.stem)
            ), run AS (   -- each with the one after it
                SELECT w.*, lead(w.place) OVER o AS next_place, lead(w.form) OVER o AS next_form, lead(w.stem) OVER o AS next_stem,
                       lead(w.stems) OVER o AS next_stems, lead(w.is_vague) OVER o AS next_is_vague, lead(w.rarity) OVER o AS next_rarity,
                       lead(w.nearness) OVER o AS next_nearness, lead(w.holders) OVER o AS next_holders, lead(w.noun) OVER o AS next_noun,
                       lead(w.is_loose) OVER o AS next_is_loose
                FROM word AS w
                WHERE w.holders >= 2 OR NOT shared
                WINDOW o AS (PARTITION BY w.id ORDER BY w.place)
            ), gram AS (
                SELECT r.id, 1 AS length, r.stem AS phrase, r.form, r.stems, r.holders AS each, r.rarity, r.nearness, r.noun, r.is_titled, r.is_loose FROM run AS r WHERE NOT r.is_vague
                UNION ALL
                SELECT r.id, 2, r.stem || ' ' || r.next_stem, r.form || ' ' || r.next_form, r.stems || r.next_stems, least(r.holders, r.next_holders),
                       greatest(r.rarity, r.next_rarity), greatest(r.nearness, r.next_nearness),
                       r.next_noun * least(1, 0.5 + r.noun), r.is_titled, r.next_is_loose  -- the last is what it is, the other what of
                FROM run AS r WHERE r.next_place = r.place + 1 AND NOT r.next_is_vague AND r.stem <> r.next_stem
            ), phrase AS (
                SELECT g.length, g.phrase, min(g.stems) AS stems, count(DISTINCT g.id) AS holders, min(g.id::text)::uuid AS holder, min(g.each) AS each,
                       max(g.rarity) AS rarity, max(g.nearness) AS nearness, max(g.noun) AS noun,
                       bool_or(g.is_titled) AS is_titled, bool_and(g.is_loose) AS is_loose,
                       -- A capital may only begin a sentence.
                       coalesce(mode() WITHIN GROUP (ORDER BY g.form) FILTER (WHERE g.form = lower(g.form)), mode() WITHIN GROUP (ORDER BY g.form)) AS form
                FROM gram AS g
                GROUP BY g.length, g.phrase
            )
            SELECT p.length, p.phrase, p.stems, p.form, p.each >= 2 AND p.noun >= 0.35 AS is_shared, p.holder, p.is_loose AND p.length = 1 AS is_loose,
                   CASE WHEN p.each < 2 THEN 1 ELSE greatest(p.holders, 0.8 * p.each) END
                   * p.rarity * p.noun * (CASE WHEN p.each < 2 THEN 0 ELSE 0.3 END + p.nearness) * CASE p.length WHEN 2 THEN 1.8 ELSE 1 END
                   * CASE WHEN p.is_titled AND NOT shared THEN 1.5 ELSE 1 END AS salience
            FROM phrase AS p
            -- Codes and numbers only where most events have them.
            WHERE (p.form !~ '[0-9]' OR p.holders > cardinality(events) / 2.0)
              AND (NOT p.is_loose OR p.length = 1 OR p.holders >= 2)   -- "mornings running" once is part of a sentence
            ORDER BY is_shared DESC, salience DESC, p.phrase
            LIMIT 40
        LOOP
            CONTINUE WHEN candidate.stems && stems OR candidate.is_shared <> shared;
            CONTINUE WHEN NOT shared AND candidate.holder = holder;   -- of what each says alone, each of another event
            CONTINUE WHEN candidate.is_loose AND (parts <> '{}' OR NOT shared);   -- "swimming", where there is nothing better
            IF cardinality(parts) >= (CASE WHEN shared THEN 3 ELSE 2 END) OR words >= 4 OR words >= 2 AND candidate.salience < first / 4
               OR is_taken THEN
                spare := candidate.form;
                EXIT;
            END IF;
            first := coalesce(first, candidate.salience);
            holder := candidate.holder;
            separator := CASE WHEN shared THEN ', ' ELSE ' / ' END;   -- two things, not two sides of one
            words := words + candidate.length;
            stems := stems || candidate.stems;
            part := candidate.form;
            IF NOT shared THEN
                SELECT cognifold.fuller_phrase(n.title, left(c.content, 2000), part) INTO part   -- as far as it is read above
                FROM cognifold.node AS n JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
                WHERE n.tenant_id = tenant AND n.id = candidate.holder;
            END IF;
            parts := parts || part;
        END LOOP;
        -- A plan takes two concepts of one title for the same.
        is_taken := parts <> '{}' AND EXISTS (
            SELECT FROM cognifold.node AS n
            WHERE n.tenant_id = tenant AND n.title_key = lower(array_to_string(parts, separator)) AND n.kind = 'concept' AND n.merged_into IS NULL
              AND n.id IS DISTINCT FROM concept);
        EXIT WHEN NOT is_taken AND parts <> '{}' OR spare IS NOT NULL;
    END LOOP;
    IF parts = '{}' THEN
        RETURN (SELECT n.title FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = events[1]);
    END IF;
    IF is_taken AND spare IS NOT NULL THEN
        parts := parts || spare;
    END IF;
    RETURN (SELECT upper(left(t.title, 1)) || substr(t.title, 2) FROM array_to_string(parts, separator) AS t (title));
END
$$;
COMMENT ON FUNCTION cognifold.concept_title(text, uuid[], uuid) IS
    'A heading for a group of events: up to three phrases of one or two words, four words in all, none of them small talk, a plain word or the name of an actor, that at least two of them share, ranked by (events holding it) * ln((N + 1) / n) * document weight * how noun-like it is in their texts * (0.3 + cosine to the mean of their vectors) * 1.8 if it is two words; the first, and others of at least a quarter of its score. A word in -ing or un- that no article or the like shows to be a thing stands only first, and ends no pair that is said once. If they share none, the two best phrases of two events, as their texts go on about them (fuller_phrase), parted by a stroke; one that stands in the title an event was given counts 1.5 times. Numbers and codes only where most have them. Where another concept than the given one is titled so, one phrase more. Internal.';
