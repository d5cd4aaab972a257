-- token_count: about how many tokens a language model makes of a text.
CREATE OR REPLACE FUNCTION cognifold.token_count(content text, bytes_per_token double precision) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN pg_catalog.ceil(pg_catalog.octet_length(content) / bytes_per_token)::integer;
COMMENT ON FUNCTION cognifold.token_count(text, double precision) IS
    'Bytes of UTF-8 by bytes_per_token, rounded up: tokenizers work on bytes, so that scripts of two and three bytes a letter come out about right. An estimate. Internal.';
