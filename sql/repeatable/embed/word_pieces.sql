-- word_pieces: how a word that is not in the lexicon is put together from rows that are, longest first.
CREATE OR REPLACE FUNCTION cognifold.word_pieces(word text) RETURNS text[]
LANGUAGE plpgsql STABLE PARALLEL SAFE STRICT
SET search_path FROM CURRENT
AS $$
DECLARE
    pieces  text[];
    part    text;
    mark    text;   -- '' at the start of a part, '##' within it
    start   integer;
    longest text;
BEGIN
    IF length(word) > 100 THEN
        RETURN NULL;  -- no word but a code: its pieces say nothing
    END IF;
    FOREACH part IN ARRAY string_to_array(word, '''') LOOP
        mark := '';
        start := 1;
        WHILE start <= length(part) LOOP
            SELECT l.word INTO longest
            FROM cognifold.lexicon AS l
            WHERE l.word = ANY (ARRAY(SELECT mark || substr(part, start, n)
                                      FROM generate_series(1, length(part) - start + 1) AS n))
            ORDER BY length(l.word) DESC
            LIMIT 1;
            IF longest IS NULL THEN
                RETURN NULL;
            END IF;
            pieces := pieces || longest;
            start := start + length(longest) - length(mark);
            mark := '##';
        END LOOP;
    END LOOP;
    RETURN pieces;
END
$$;
COMMENT ON FUNCTION cognifold.word_pieces(text) IS
    'The lexicon''s rows that an unlisted word is composed of: greedy longest match from the left (WordPiece; Wu et al., 2016), anew after an apostrophe. NULL where some character begins no row, and for words of more than 100 characters.';
