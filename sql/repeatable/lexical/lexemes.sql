-- lexemes: the lexemes of a text and how often each stands in it (English stems, no stop words).
CREATE OR REPLACE FUNCTION cognifold.lexemes(text text, maximum_characters integer DEFAULT 100000)
RETURNS TABLE (lexeme text, frequency smallint)
LANGUAGE sql STABLE PARALLEL SAFE
-- No SET clause: the planner inlines it.
AS $$
    SELECT t.lexeme COLLATE "C", pg_catalog.cardinality(t.positions)::smallint
    FROM pg_catalog.unnest(pg_catalog.to_tsvector('pg_catalog.english', pg_catalog.left(lexemes.text, maximum_characters))) AS t
$$;
COMMENT ON FUNCTION cognifold.lexemes(text, integer) IS
    'English lexemes of a text''s first characters with their frequency (at most 255, as tsvector counts).';
