-- value_words: the stems by which two values are told apart.
CREATE OR REPLACE FUNCTION cognifold.value_words(value text) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    SELECT coalesce(NULLIF(ARRAY(
               SELECT DISTINCT (ts_lexize('pg_catalog.english_stem', w.word))[1] COLLATE "C" AS stem
               FROM string_to_table(lower(value), ' ') AS w (word)
               WHERE w.word ~ '[[:alnum:]]' AND ts_lexize('pg_catalog.english_stem', w.word) <> '{}' ORDER BY 1), '{}'),
           ARRAY(SELECT DISTINCT w.word COLLATE "C" FROM string_to_table(lower(value), ' ') AS w (word) WHERE w.word ~ '[[:alnum:]]' ORDER BY 1))
$$;
COMMENT ON FUNCTION cognifold.value_words(text) IS 'Sorted stems of a value''s words without stop words; all its words where it has no others. Internal.';
