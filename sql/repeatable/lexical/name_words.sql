-- name_words: the words of an actor's name that a question may use to mean that actor.
CREATE OR REPLACE FUNCTION cognifold.name_words(actor text) RETURNS TABLE (word text)
LANGUAGE sql STABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    SELECT m.word[1] COLLATE "C"
    FROM regexp_matches(lower(actor), '[[:alpha:]]{3,}', 'g') AS m (word)
    -- "The app" or "Will" must not turn every "the" and "will" of a question into a name.
    WHERE (ts_lexize('pg_catalog.english_stem', m.word[1])) <> '{}'
$$;
COMMENT ON FUNCTION cognifold.name_words(text) IS 'The words of a name, lower case, of three letters or more, without stop words.';
