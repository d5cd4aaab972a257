-- cut_sentence: a sentence short enough for its place, cut after a word.
CREATE OR REPLACE FUNCTION cognifold.cut_sentence(sentence text, maximum integer) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    SELECT CASE WHEN length(sentence) <= maximum THEN sentence ELSE regexp_replace(left(sentence, maximum - 1), '\W+\w*$', '') || '…' END
$$;
COMMENT ON FUNCTION cognifold.cut_sentence(text, integer) IS
    'The sentence, or, where it has more than maximum characters, its first words and "…", at most maximum characters together. Internal.';
