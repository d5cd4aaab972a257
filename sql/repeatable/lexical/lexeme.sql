-- lexeme: the stem under which one word is counted in the lexical statistics.
CREATE OR REPLACE FUNCTION cognifold.lexeme(word text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce((pg_catalog.ts_lexize('pg_catalog.english_stem', word))[1], word) COLLATE "C"
$$;
COMMENT ON FUNCTION cognifold.lexeme(text) IS 'The English stem of a lower-case word, or the word itself where it is a stop word.';
