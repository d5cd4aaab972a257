-- installer_check_history refuses a memory that a newer version made (CF029), and one where a versioned file ran that was another.
CREATE OR REPLACE FUNCTION cognifold.installer_check_history() RETURNS void
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    mine text := cognifold.installer_release() ->> 'version';
    theirs text;
    unknown text;
    edited record;
BEGIN
    IF to_regclass('cognifold.schema_migration') IS NULL OR to_regclass('cognifold.alembic_version') IS NULL THEN
        RETURN;
    END IF;
    SELECT m.version INTO theirs FROM cognifold.schema_migration AS m
    ORDER BY cognifold.installer_number(m.version) DESC LIMIT 1;
    SELECT string_agg(r.name, ', ' ORDER BY r.name) INTO unknown
    FROM (
        SELECT m.name FROM cognifold.schema_migration AS m WHERE m.name LIKE 'versioned/%'
        UNION
        SELECT format('versioned/%s.sql', a.version_num) FROM cognifold.alembic_version AS a
    ) AS r
    WHERE NOT EXISTS (SELECT FROM cognifold.installer_files() AS f WHERE f.name = r.name);
    IF cognifold.installer_number(theirs) > cognifold.installer_number(mine) OR unknown IS NOT NULL THEN
        RAISE EXCEPTION 'Version % of cognifold made this schema, and this installer is version %: it would put older verbs back. Nothing was changed.', theirs, mine
            USING ERRCODE = 'CF029',
                  DETAIL = coalesce(format('In it ran %s, which this installer does not know.', unknown), ''),
                  HINT = format('Install the extension''s files of version %s or newer, run ALTER EXTENSION cognifold UPDATE, and call migrate() again.', theirs);
    END IF;
    SELECT f.name, m.sha256 AS before, f.sha256 AS now INTO edited
    FROM cognifold.installer_files() AS f JOIN cognifold.schema_migration AS m USING (name)
    WHERE f.kind = 'versioned' AND m.sha256 <> f.sha256 ORDER BY f.place LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION '% ran in this database with checksum %, and the one of version % has %. Nothing was changed.', edited.name, edited.before, mine, edited.now
            USING ERRCODE = 'object_not_in_prerequisite_state',
                  HINT = 'A versioned file runs once and must not change after a release: build the extension of the release that ran it; or, if the file was edited, put it back and write the change as a new versioned file.';
    END IF;
END
$$;

COMMENT ON FUNCTION cognifold.installer_check_history() IS
    'Raises CF029, with both versions, where the schema was made by a newer version than this installer''s; 55000, with both checksums, where a versioned file ran here that was not this installer''s. A member of the extension.';
