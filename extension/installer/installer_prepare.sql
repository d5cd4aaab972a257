-- installer_prepare makes the roles and the schemas, gives the owner what it needs, and returns the schema of pgvector.
CREATE OR REPLACE FUNCTION cognifold.installer_prepare() RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    release jsonb := cognifold.installer_release();
    wanted record;
    found_owner text;
    vector record;
BEGIN
    IF current_setting('server_version_num')::integer < (release ->> 'minimum_server')::integer THEN
        RAISE EXCEPTION 'PostgreSQL % is too old: version 16 or newer is needed.', current_setting('server_version')
            USING ERRCODE = 'feature_not_supported';
    ELSIF current_setting('server_encoding') <> 'UTF8' THEN
        RAISE EXCEPTION 'The database''s encoding is %: create one with ENCODING ''UTF8''.', current_setting('server_encoding')
            USING ERRCODE = 'feature_not_supported';
    END IF;

    BEGIN
        EXECUTE (SELECT f.content FROM cognifold.installer_files() AS f WHERE f.kind = 'roles');
    EXCEPTION WHEN insufficient_privilege THEN
        RAISE EXCEPTION 'The role % lacks the right to make the memory''s roles (%).', current_user, SQLERRM
            USING ERRCODE = 'CF028', HINT = format('Let a superuser run: ALTER ROLE %I CREATEROLE; then call migrate() again. Or call it as a superuser.', current_user);
    END;

    IF NOT pg_has_role(current_user, 'cognifold_owner', 'SET') THEN
        BEGIN
            GRANT cognifold_owner TO CURRENT_USER;
        EXCEPTION WHEN insufficient_privilege THEN
            -- CREATEROLE is enough for roles that one has made oneself; these were another's, and serve the whole server.
            RAISE EXCEPTION 'The memory''s roles are on this server already, made by another role''s install, and % may not use them (%).', current_user, SQLERRM
                USING ERRCODE = 'CF028', HINT = format('Let whoever installed there, or a superuser, run: GRANT cognifold_owner TO %I WITH ADMIN OPTION, and the same for cognifold_reader, cognifold_writer, cognifold_governor, cognifold_worker, cognifold_monitor, cognifold_auditor, cognifold_partial, cognifold_multitenant and cognifold_clock, which %1$I can then grant to applications. Then call migrate() again.', current_user);
        END;
    END IF;

    FOR wanted IN SELECT s.key AS name, s.value AS purpose FROM jsonb_each_text(release -> 'schemas') AS s LOOP
        SELECT n.nspowner::regrole::text INTO found_owner FROM pg_namespace AS n WHERE n.nspname = wanted.name;
        CONTINUE WHEN found_owner = 'cognifold_owner';
        IF found_owner <> quote_ident(current_user) OR found_owner IS NOT NULL AND wanted.name <> 'cognifold' THEN
            RAISE EXCEPTION 'The schema "%" belongs to %, neither to the memory nor to %, who called migrate().', wanted.name, found_owner, current_user
                USING ERRCODE = 'CF028', HINT = CASE wanted.name
                    WHEN 'cognifold' THEN format('Call migrate() as %s, who created the extension; or drop the extension and the schema, and create the extension as %I.', found_owner, current_user)
                    ELSE format('Rename it (ALTER SCHEMA %I RENAME TO ...) and call migrate() again.', wanted.name) END;
        END IF;
        BEGIN
            IF found_owner IS NULL THEN
                EXECUTE format('CREATE SCHEMA %I AUTHORIZATION cognifold_owner', wanted.name);
            ELSE
                EXECUTE format('ALTER SCHEMA %I OWNER TO cognifold_owner', wanted.name);  -- CREATE EXTENSION made it, or found it empty
            END IF;
        EXCEPTION WHEN insufficient_privilege THEN
            RAISE EXCEPTION 'The role % lacks the right to create schemas in the database % (%).', current_user, current_database(), SQLERRM
                USING ERRCODE = 'CF028', HINT = format('Let the database''s owner or a superuser run: GRANT CREATE ON DATABASE %I TO %I; then call migrate() again.', current_database(), current_user);
        END;
        EXECUTE format('COMMENT ON SCHEMA %I IS %L', wanted.name, wanted.purpose);
    END LOOP;

    SELECT n.nspname AS place, e.extversion AS version INTO STRICT vector
    FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'vector';
    IF cognifold.installer_number(vector.version) < cognifold.installer_number(release ->> 'minimum_vector') THEN
        RAISE EXCEPTION 'pgvector % is too old: % or newer is needed (halfvec).', vector.version, release ->> 'minimum_vector'
            USING ERRCODE = 'feature_not_supported', HINT = 'Install a newer package and run ALTER EXTENSION vector UPDATE.';
    END IF;
    IF has_schema_privilege('public', vector.place, 'CREATE') THEN
        -- The verbs look for pgvector's operators there, and would run a better fitting one of anybody's as their owner.
        RAISE EXCEPTION 'Everyone may create objects in the schema "%", where pgvector is; with them anyone could reach into every tenant.', vector.place
            USING ERRCODE = 'CF028', HINT = format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC, or move pgvector to a schema of its own (ALTER EXTENSION vector SET SCHEMA ...), and call migrate() again.', vector.place);
    END IF;
    FOR wanted IN SELECT r.role FROM unnest(ARRAY['cognifold_owner', 'cognifold_reader', 'cognifold_cleared']) AS r (role) LOOP
        IF NOT has_schema_privilege(wanted.role, vector.place, 'USAGE') THEN
            BEGIN
                EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', vector.place, wanted.role);
            EXCEPTION WHEN insufficient_privilege THEN
                RAISE EXCEPTION 'The role % lacks the right to let % use the schema "%", where pgvector is (%).', current_user, wanted.role, vector.place, SQLERRM
                    USING ERRCODE = 'CF028', HINT = format('Let the schema''s owner run: GRANT USAGE ON SCHEMA %I TO cognifold_owner, cognifold_reader, cognifold_cleared; then call migrate() again.', vector.place);
            END;
        END IF;
    END LOOP;
    RETURN vector.place;
END
$$;

COMMENT ON FUNCTION cognifold.installer_prepare() IS
    'Makes the memory''s roles and schemas with the caller''s own rights, and returns the schema of pgvector. Raises CF028, naming the right that is missing or the schema that is another''s. For migrate. A member of the extension.';
