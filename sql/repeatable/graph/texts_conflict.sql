-- texts_conflict: whether two texts, however alike, say different things: a number, date, name, negation or opposite apart.
CREATE OR REPLACE FUNCTION cognifold.texts_conflict(tenant text, one text, other text) RETURNS boolean
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    WITH word AS (
        SELECT DISTINCT s.side, m.word[1] COLLATE "C" AS word
        FROM (VALUES (1, one), (2, other)) AS s (side, text)
        CROSS JOIN LATERAL regexp_matches(replace(lower(s.text), '’', ''''), '[[:alnum:]]+(?:[.,:][[:digit:]]+|''[[:alpha:]]+)*', 'g') AS m (word)
    ), apart AS (   -- words that stand in one of the two only
        SELECT w.word, min(w.side) AS side FROM word AS w GROUP BY w.word HAVING count(*) = 1
    )
    SELECT EXISTS (
        SELECT FROM apart AS a
        WHERE a.word ~ '[[:digit:]]'
           OR a.word ~ '(n''t|^not|^no|^never|^none|^without|^nobody|^nothing)$'
           OR a.word ~ '^(january|february|march|april|may|june|july|august|september|october|november|december|(mon|tues|wednes|thurs|fri|satur|sun)days?)$'
           OR EXISTS (SELECT FROM cognifold.actor_name AS n WHERE n.tenant_id = texts_conflict.tenant AND n.word = a.word)
           OR EXISTS (SELECT FROM apart AS b JOIN cognifold.antonym AS o ON o.word = a.word AND o.opposite = b.word WHERE b.side <> a.side)
    )
$$;
COMMENT ON FUNCTION cognifold.texts_conflict(text, text, text) IS
    'True if two texts differ in a number, date word, actor''s name, negation or a pair of opposites: such texts are never near-duplicates. Internal.';
