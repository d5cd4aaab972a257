-- signature_bit: which of the 128 bits of a signature stands for a lexeme.
CREATE OR REPLACE FUNCTION cognifold.signature_bit(lexeme text) RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE
-- STABLE as convert_to is: so the planner inlines it.
-- Of a digest and not of PostgreSQL's own hash: it is stored, and must outlive a change of version or machine.
RETURN pg_catalog.get_byte(pg_catalog.sha256(pg_catalog.convert_to(lexeme, 'UTF8')), 0) & 127;
COMMENT ON FUNCTION cognifold.signature_bit(text) IS 'The first seven bits of the lexeme''s SHA-256: the bit, as get_bit counts them, that it sets in a signature. Internal.';
