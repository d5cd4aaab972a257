-- naming_pattern: a name as a regular expression that finds it in a text as whole words.
CREATE OR REPLACE FUNCTION cognifold.naming_pattern(subject text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT '(^|[^[:alnum:]])'
           || pg_catalog.regexp_replace(pg_catalog.regexp_replace(pg_catalog.btrim(subject), '([^[:alnum:][:space:]])', '\\\1', 'g'), '[[:space:]]+', '[[:space:]]+', 'g')
           || '($|[^[:alnum:]])'
$$;
COMMENT ON FUNCTION cognifold.naming_pattern(text) IS 'A pattern (for ~*) of a name: whole words, with any space between them. Internal.';
