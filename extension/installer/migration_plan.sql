-- migration_plan says what migrate() would run, in order, and why; no row: it has nothing to do. It changes nothing.
CREATE OR REPLACE FUNCTION cognifold.migration_plan() RETURNS TABLE (place integer, name text, reason text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    stands_at text;
    known jsonb := '{}';
    words jsonb := '{}';
    vector_schema text := (SELECT n.nspname FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'vector');
    release jsonb := cognifold.installer_release();
BEGIN
    PERFORM cognifold.installer_check_history();
    IF to_regclass('cognifold.alembic_version') IS NOT NULL THEN
        SELECT format('versioned/%s.sql', a.version_num) INTO stands_at FROM cognifold.alembic_version AS a;
    END IF;
    IF to_regclass('cognifold.schema_migration') IS NOT NULL THEN
        SELECT coalesce(jsonb_object_agg(m.name, m.sha256), '{}') INTO known FROM cognifold.schema_migration AS m;
    END IF;
    IF to_regclass('cognifold.lexicon_release') IS NOT NULL THEN
        SELECT jsonb_build_object('lexicon', (SELECT r.checksum FROM cognifold.lexicon_release AS r),
                                  'affect', (SELECT r.checksum FROM cognifold.affect_release AS r)) INTO words;
    END IF;

    RETURN QUERY
    WITH file AS (
        SELECT f.*,
               -- Functions keep the search_path they were made with, so where pgvector lives is part of what a file made.
               encode(sha256(convert_to(f.content || vector_schema, 'UTF8')), 'hex') AS digest
        FROM cognifold.installer_files() AS f
    ),
    judged AS (
        SELECT f.place, f.kind, f.name,
               CASE
                   WHEN f.kind = 'versioned' AND f.place > coalesce((SELECT s.place FROM file AS s WHERE s.name = stands_at), 0) THEN 'not run yet'
                   WHEN f.kind IN ('repeatable', 'policy') AND NOT known ? f.name THEN 'new'
                   WHEN f.kind IN ('repeatable', 'policy') AND known ->> f.name <> f.digest THEN 'changed'
               END AS reason
        FROM file AS f
    ),
    -- A file before may have made a table or function that the policies must cover.
    ordered AS (
        SELECT j.*, bool_or(j.reason IS NOT NULL) OVER (ORDER BY j.place) AS after_a_change FROM judged AS j
    )
    SELECT o.place, o.name, coalesce(o.reason, 'a file before it runs')
    FROM ordered AS o WHERE o.reason IS NOT NULL OR (o.kind = 'policy' AND o.after_a_change)
    UNION ALL
    SELECT (SELECT max(f.place) FROM file AS f) + w.place, w.name, CASE WHEN words ->> w.name IS NULL THEN 'not loaded yet' ELSE 'another release is loaded' END
    FROM (VALUES (1, 'lexicon'), (2, 'affect')) AS w (place, name)
    WHERE words ->> w.name IS DISTINCT FROM release -> w.name ->> 'checksum'
    ORDER BY 1;
END
$$;

COMMENT ON FUNCTION cognifold.migration_plan() IS
    'What migrate() would run now, in that order (place), each with its reason; no rows: it would change nothing. For members of cognifold_owner. Raises as migrate does where the memory is not one that it could bring up to date. A member of the extension.';
