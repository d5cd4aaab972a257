-- signature: a text's lexemes at a glance, 128 bits of which each lexeme sets one.
CREATE OR REPLACE FUNCTION cognifold.signature(lexemes text[]) RETURNS bytea
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    -- get_bit counts from the low end of the first byte, pg_catalog.int8send begins with the high byte: hence # 56.
    SELECT pg_catalog.int8send(coalesce(pg_catalog.bit_or(CASE WHEN b.bit < 64 THEN 1::bigint << (b.bit # 56) END), 0))
        || pg_catalog.int8send(coalesce(pg_catalog.bit_or(CASE WHEN b.bit >= 64 THEN 1::bigint << ((b.bit - 64) # 56) END), 0))
    FROM (SELECT cognifold.signature_bit(l.lexeme) AS bit FROM pg_catalog.unnest(lexemes) AS l (lexeme)) AS b
$$;
COMMENT ON FUNCTION cognifold.signature(text[]) IS
    'A Bloom filter of the lexemes, one bit each of 128 (Bloom 1970; Faloutsos and Christodoulakis 1984, signature files): a bit that is not set says that the lexeme is not there. Internal.';
