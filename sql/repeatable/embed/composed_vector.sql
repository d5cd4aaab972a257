-- composed_vector: the vector of a word that is not in the lexicon: the mean of its pieces, or its hash.
CREATE OR REPLACE FUNCTION cognifold.composed_vector(word text) RETURNS vector
LANGUAGE plpgsql STABLE PARALLEL SAFE STRICT
SET search_path FROM CURRENT
AS $$
DECLARE
    pieces text[] := cognifold.word_pieces(word);
BEGIN
    IF pieces IS NULL THEN
        IF NOT EXISTS (SELECT FROM cognifold.lexicon_release) THEN
            RAISE EXCEPTION 'the lexicon is empty, so nothing can be embedded'
                USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Load it: run `cognifold init` on this database.';
        END IF;
        RETURN cognifold.hashed_vector(word);
    END IF;
    RETURN (
        SELECT avg(l.document_vector::vector * array_fill(1 / l.document_weight, ARRAY[256])::vector ORDER BY p.place)
        FROM unnest(pieces) WITH ORDINALITY AS p (piece, place)
        JOIN cognifold.lexicon AS l ON l.word = p.piece
    );
END
$$;
COMMENT ON FUNCTION cognifold.composed_vector(text) IS
    'The vector of an unlisted word, without a document weight: the mean of its word_pieces'' unit vectors, else its hashed_vector. Internal.';
