-- cognifold @VERSION@ for pg_tle (1.4 or newer): run it once in the database, as a member of pgtle_admin. It makes the
-- extension known, or a newer version of it; then:
--     CREATE SCHEMA IF NOT EXISTS cognifold;
--     CREATE EXTENSION cognifold SCHEMA cognifold CASCADE;   -- or: ALTER EXTENSION cognifold UPDATE
--     SELECT cognifold.migrate();
-- The word vectors and the affect of words in it: CC BY-SA 4.0, see cognifold_pg/lexicon/ATTRIBUTION.md of the sources.
DO $cognifold_pg_tle$
DECLARE
    script text := $cognifold_script$@SCRIPT@$cognifold_script$;
BEGIN
    IF to_regnamespace('pgtle') IS NULL THEN
        RAISE EXCEPTION 'pg_tle is not in this database.' USING ERRCODE = 'undefined_object', HINT = 'CREATE EXTENSION pg_tle, where the server preloads it; else install the extension''s files, or use cognifold init.';
    END IF;
    IF EXISTS (SELECT FROM pgtle.available_extension_versions() AS v WHERE v.name::text = 'cognifold' AND v.version::text = '@VERSION@') THEN
        RAISE NOTICE 'pg_tle knows cognifold @VERSION@ already.';
        RETURN;
    END IF;
    IF NOT EXISTS (SELECT FROM pgtle.available_extensions() AS e WHERE e.name::text = 'cognifold') THEN
        PERFORM pgtle.install_extension('cognifold', '@VERSION@', '@COMMENT@', script, '{vector}');
        RETURN;
    END IF;
    PERFORM pgtle.install_extension_version_sql('cognifold', '@VERSION@', script);
@UPDATES@
    PERFORM pgtle.set_default_version('cognifold', '@VERSION@');
END
$cognifold_pg_tle$;
