-- query_terms: what a question asks by name and what by meaning: the actors it names, and its words without the names.
CREATE OR REPLACE FUNCTION cognifold.query_terms(tenant text, query text) RETURNS TABLE (actors text[], words text)
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    WITH named AS (
        SELECT n.actor, n.word
        FROM (SELECT DISTINCT m.word[1] COLLATE "C" AS word
              FROM regexp_matches(lower(left(query, 10000)), '[[:alpha:]]{3,}', 'g') AS m (word)) AS asked
        JOIN cognifold.actor_name AS n ON n.tenant_id = query_terms.tenant AND n.word = asked.word
    ), rest AS (
        -- A question that is nothing but a name, or a letter of it, still asks for something: then the name stays.
        SELECT btrim(regexp_replace(left(query, 10000),
                     -- (Names are stored in collation "C", in which ë is no letter.)
                     '\m(' || (SELECT string_agg(DISTINCT n.word, '|') COLLATE "default" FROM named AS n) || ')(''s|’s)?\M', ' ', 'gi')) AS words
    )
    SELECT ARRAY(SELECT DISTINCT n.actor FROM named AS n ORDER BY 1),
           CASE WHEN r.words ~ '[[:alnum:]]{2}' THEN r.words ELSE left(query, 10000) END
    FROM rest AS r
$$;
COMMENT ON FUNCTION cognifold.query_terms(text, text) IS
    'The actors a question names, and its text without their names: a name is a boost on actor, not a direction in vector space. What a client with an outside model embeds are these words.';
