-- migrate makes the memory as `cognifold init` makes it, or brings it up to date; called again it changes nothing.
CREATE OR REPLACE FUNCTION cognifold.migrate() RETURNS jsonb
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET client_min_messages = warning
SET check_function_bodies = off  -- rooms refer to each other
AS $$
DECLARE
    release jsonb := cognifold.installer_release();
    role_before text := current_setting('role');
    caller name := current_user;
    vector_schema text;
    step record;
    damaged text;
    others text;
    patience interval := nullif(current_setting('lock_timeout')::interval, '0');
    pending text[];
    drifted jsonb := '{}';
    applied text[] := '{}';
    loaded boolean := false;
    warnings text[] := '{}';
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        -- What another install has just committed would stay unseen after the wait for it.
        RAISE EXCEPTION 'migrate() was called in a % transaction.', current_setting('transaction_isolation')
            USING ERRCODE = 'active_sql_transaction', HINT = 'Call it in a transaction of its own, or after BEGIN ISOLATION LEVEL READ COMMITTED.';
    END IF;
    SELECT string_agg(f.name, ', ') INTO damaged FROM cognifold.installer_files() AS f
    WHERE encode(sha256(convert_to(f.content, 'UTF8')), 'hex') <> f.sha256;
    IF damaged IS NOT NULL THEN
        RAISE EXCEPTION 'The extension''s script is damaged: % differ from their checksums.', damaged
            USING ERRCODE = 'data_corrupted', HINT = 'Build the extension anew and install its files again.';
    END IF;

    PERFORM pg_advisory_xact_lock((release ->> 'lock')::bigint);
    vector_schema := cognifold.installer_prepare();
    SELECT string_agg(DISTINCT quote_ident(r.rolname), ', ') INTO others
    FROM pg_namespace AS n
    CROSS JOIN LATERAL aclexplode(n.nspacl) AS a
    JOIN pg_roles AS r ON r.oid = a.grantee
    WHERE n.nspname = vector_schema AND a.privilege_type = 'CREATE' AND NOT r.rolsuper AND r.oid <> n.nspowner AND r.rolname <> caller;
    IF others IS NOT NULL THEN
        warnings := ARRAY[format('%s may create objects in the schema "%s", where pgvector is, and with them reach into every tenant. '
            'REVOKE CREATE on it from them, unless they are to be trusted with all of it.', others, vector_schema)];
        RAISE WARNING '%', warnings[1];
    END IF;

    SET LOCAL ROLE cognifold_owner;
    EXECUTE format('SET LOCAL search_path = pg_catalog, cognifold, %I, pg_temp', vector_schema);
    pending := ARRAY(SELECT p.name FROM cognifold.migration_plan() AS p ORDER BY p.place);
    IF pending && ARRAY(SELECT f.name FROM cognifold.installer_files() AS f) THEN
        PERFORM cognifold.installer_lock(
            ARRAY(SELECT unnest(f.locks) FROM cognifold.installer_files() AS f WHERE f.name = ANY (pending)),
            coalesce(patience, (release ->> 'patience')::double precision * interval '1 s'));
        -- Alembic's own table, as it makes it, so that `cognifold init` can go on from here.
        CREATE TABLE IF NOT EXISTS cognifold.alembic_version (
            version_num varchar(32) NOT NULL CONSTRAINT alembic_version_pkc PRIMARY KEY
        );
        COMMENT ON TABLE cognifold.alembic_version IS 'The last versioned file that ran, as Alembic notes it.';
    END IF;
    IF to_regprocedure('cognifold.drift()') IS NOT NULL THEN
        SELECT coalesce(jsonb_object_agg(d.identity, d.fingerprint), '{}') INTO drifted FROM cognifold.drift() AS d;
    END IF;

    FOR step IN
        SELECT p.name, f.kind, f.sha256, f.content
        FROM unnest(pending) WITH ORDINALITY AS p (name, place) LEFT JOIN cognifold.installer_files() AS f USING (name)
        ORDER BY p.place
    LOOP
        IF step.name = 'lexicon' THEN
            loaded := cognifold.installer_load_lexicon();
        ELSIF step.name = 'affect' THEN
            PERFORM cognifold.installer_load_affect();
        ELSE
            BEGIN
                EXECUTE step.content;
            EXCEPTION WHEN OTHERS THEN
                RAISE EXCEPTION '% failed, and nothing was changed: %', step.name, SQLERRM USING ERRCODE = SQLSTATE;
            END;
            INSERT INTO cognifold.schema_migration AS m (name, sha256, version, applied_at)
            VALUES (step.name,
                    CASE step.kind WHEN 'versioned' THEN step.sha256
                        ELSE encode(sha256(convert_to(step.content || vector_schema, 'UTF8')), 'hex') END,
                    release ->> 'version', now())
            ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256, version = excluded.version, applied_at = now();
            IF step.kind = 'versioned' THEN
                DELETE FROM cognifold.alembic_version;
                INSERT INTO cognifold.alembic_version (version_num) VALUES (substring(step.name FROM '^versioned/(.*)\.sql$'));
            END IF;
            applied := applied || step.name;
        END IF;
    END LOOP;

    IF applied <> '{}' THEN
        -- As they are now, but for what somebody changed by hand and this left as it was.
        PERFORM cognifold.note_objects(ARRAY(
            SELECT d.identity FROM cognifold.drift() AS d
            WHERE drifted ? d.identity AND drifted ->> d.identity IS NOT DISTINCT FROM d.fingerprint));
        IF EXISTS (SELECT FROM cognifold.schema_migration AS m WHERE m.name LIKE 'optional/age/%') THEN
            warnings := warnings || 'Graphs were enabled here, and the extension does not carry their files: cognifold graph enable, of this version, brings them up to date.'::text;
            RAISE WARNING '%', warnings[cardinality(warnings)];
        END IF;
    END IF;

    PERFORM set_config('role', role_before, true);
    RETURN jsonb_build_object('version', release ->> 'version', 'applied', to_jsonb(applied), 'lexicon_loaded', loaded, 'warnings', to_jsonb(warnings));
END
$$;

COMMENT ON FUNCTION cognifold.migrate() IS
    'Makes the memory, or brings it up to date, as cognifold init does, in the caller''s transaction: returns its version, the files it applied (none on a second call), whether it loaded the lexicon, and warnings. The caller may create roles and schemas, or finds them made. Raises CF028 naming a right that is missing or a schema that is another''s, CF029 where a newer version made the schema, 55000 where a versioned file ran in another form. Where a memory is there, it keeps everybody else out of what it alters, as cognifold upgrade does, or raises 55P03: after 60 s, or after lock_timeout where that is set. Runs with the caller''s rights. A member of the extension.';
