-- Refuses a schema that is not the memory's: who owns it, or may create in it, could put functions of their own there.
-- (Names are looked up in pg_catalog alone: a trusted script runs as a superuser.)
SET LOCAL search_path = pg_catalog, pg_temp;
DO $guard$
DECLARE
    place record;
BEGIN
    SELECT n.oid, n.nspname, n.nspowner, e.extowner, e.oid AS extension,
           coalesce(n.nspowner = to_regrole('cognifold_owner'), false) AS is_the_memorys
    INTO STRICT place
    FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace
    WHERE e.extname = 'cognifold';

    IF place.nspname <> 'cognifold' THEN
        RAISE EXCEPTION 'The extension would go into the schema "%", and its place is the schema "cognifold".', place.nspname
            USING ERRCODE = 'CF028', HINT = 'CREATE SCHEMA cognifold, unless it is there; then CREATE EXTENSION cognifold SCHEMA cognifold CASCADE.';
    END IF;
    IF place.is_the_memorys THEN
        IF NOT pg_has_role(place.extowner, place.nspowner, 'MEMBER') THEN
            RAISE EXCEPTION 'The memory in this database belongs to cognifold_owner, and % is no member.', place.extowner::regrole
                USING ERRCODE = 'CF028', HINT = format('Let whoever installed it, or a superuser, run: GRANT cognifold_owner TO %s.', place.extowner::regrole);
        END IF;
        RETURN;
    END IF;
    IF place.nspowner <> place.extowner THEN
        RAISE EXCEPTION 'A schema "cognifold" of role % is already there, and it is not this memory''s.', place.nspowner::regrole
            USING ERRCODE = 'CF028', HINT = 'Rename it (ALTER SCHEMA cognifold RENAME TO ...) and create the extension again.';
    END IF;
    IF EXISTS (
        SELECT FROM pg_depend AS d
        WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = place.oid AND d.classid <> 'pg_extension'::regclass
          AND NOT EXISTS (
              SELECT FROM pg_depend AS m
              WHERE m.classid = d.classid AND m.objid = d.objid
                AND m.refclassid = 'pg_extension'::regclass AND m.refobjid = place.extension AND m.deptype = 'e')
    ) THEN
        RAISE EXCEPTION 'A schema "cognifold" is already there and holds objects that are not this memory''s.'
            USING ERRCODE = 'CF028', HINT = 'Rename it (ALTER SCHEMA cognifold RENAME TO ...) and create the extension again.';
    END IF;
    IF EXISTS (
        SELECT FROM pg_namespace AS n CROSS JOIN LATERAL aclexplode(n.nspacl) AS a
        WHERE n.oid = place.oid AND a.privilege_type = 'CREATE' AND a.grantee <> n.nspowner
    ) THEN
        RAISE EXCEPTION 'Others than % may create objects in the schema "cognifold".', place.nspowner::regrole
            USING ERRCODE = 'CF028', HINT = 'REVOKE CREATE ON SCHEMA cognifold from PUBLIC and from the roles that have it, or drop the schema.';
    END IF;
END
$guard$;
