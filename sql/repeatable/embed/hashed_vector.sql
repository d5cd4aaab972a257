-- hashed_vector: a direction of its own for a word of which nothing is known, always the same one.
CREATE OR REPLACE FUNCTION cognifold.hashed_vector(word text) RETURNS vector
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
SET search_path FROM CURRENT
AS $$
    -- 256 bits of SHA-256, each +1/16 (bit 0) or -1/16 (bit 1): length 1, nearly at right angles to all other words.
    SELECT array_agg((1 - 2 * get_bit(sha256(convert_to(word, 'UTF8')), bit)) / 16.0::real ORDER BY bit)::vector
    FROM generate_series(0, 255) AS bit
$$;
COMMENT ON FUNCTION cognifold.hashed_vector(text) IS
    'A unit vector of 256 dimensions from the bits of the word''s SHA-256: the same word matches itself and nothing else.';
