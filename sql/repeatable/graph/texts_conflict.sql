-- texts_conflict: whether two texts, however alike, say different things: a number, date, name, negation or opposite apart.
CREATE OR REPLACE FUNCTION cognifold.texts_conflict(tenant text, one text, other text) RETURNS boolean
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    WITH said AS (
        SELECT s.side, lower(m.word[1]) COLLATE "C" AS word, m.place, left(m.word[1], 1) <> lower(left(m.word[1], 1)) AS capital
        FROM (VALUES (1, one), (2, other)) AS s (side, text)
        CROSS JOIN LATERAL regexp_matches(replace(s.text, '’', ''''), '[[:alnum:]]+(?:[.,:][[:digit:]]+|''[[:alpha:]]+)*', 'g')
                           WITH ORDINALITY AS m (word, place)
    ), apart AS (   -- words that stand in one of the two only
        SELECT d.word, cognifold.lexeme(d.word) AS lexeme, min(d.side) AS side, bool_or(d.capital AND d.place > 1 AND length(d.word) > 1) AS is_name
        FROM said AS d GROUP BY d.word HAVING count(DISTINCT d.side) = 1
    ), opposed AS (
        SELECT cognifold.lexeme(o.word) AS lexeme, cognifold.lexeme(o.opposite) AS opposite FROM cognifold.antonym AS o
    )
    SELECT EXISTS (
        SELECT FROM apart AS a
        WHERE a.word ~ '[[:digit:]]'
           OR a.word ~ '^(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(thir|four|fif|six|seven|eigh|nine)teen|(twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|first|second|third|(four|fif|six|seven|eigh|nin|ten)th|once|twice|half)$'
           OR a.word ~ '(n''t|^not|^no|^nor|^neither|^never|^none|^without|^nobody|^nothing|^cannot)$'
           OR a.word ~ '^(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|(mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tues?|wed|thu|thurs?|fri|sat|sun)$'
           OR EXISTS (SELECT FROM cognifold.actor_name AS n WHERE n.tenant_id = texts_conflict.tenant AND n.word = a.word)
           -- A capital within a text makes a name, unless the whole text is written so and the other names nobody.
           OR a.is_name AND (EXISTS (SELECT FROM said AS d WHERE d.side = a.side AND NOT d.capital AND d.word ~ '[[:alpha:]]{3}')
                             OR EXISTS (SELECT FROM apart AS b WHERE b.is_name AND b.side <> a.side))
           OR EXISTS (SELECT FROM apart AS b JOIN opposed AS o ON o.lexeme = a.lexeme AND o.opposite = b.lexeme WHERE b.side <> a.side)
    )
$$;
COMMENT ON FUNCTION cognifold.texts_conflict(text, text, text) IS
    'True if two texts differ in a number, date word, name (an actor''s, or a capitalised word), negation or a pair of opposites in any form: such texts are never near-duplicates. Internal.';
