-- require_client: a program says which version it is, and is refused where this schema has become too new for it.
CREATE OR REPLACE FUNCTION cognifold.require_client(version text) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
DECLARE
    numbers integer[] := cognifold.version_numbers(version);
BEGIN
    IF numbers IS NULL THEN
        RAISE EXCEPTION 'require_client: % is no version', coalesce(quote_literal(left(version, 40)), 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Give the version of the calling package, as 0.2.0.';
    END IF;
    IF numbers < cognifold.version_numbers(cognifold.oldest_client()) THEN
        RAISE EXCEPTION 'cognifold-pg % is too old for this schema, which is of version %', version, cognifold.schema_version()
            USING ERRCODE = 'CF052', HINT = format('Install cognifold-pg %s or newer where this program runs, and start it again.', cognifold.oldest_client());
    END IF;
    RETURN cognifold.schema_version();
END
$$;
COMMENT ON FUNCTION cognifold.require_client(text) IS
    'The schema''s version, where a program of this version may work on it; else CF052 with both versions and what to install. Workers ask before each look for work, the Python client once a connection, with its first call.';
