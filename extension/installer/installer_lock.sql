-- installer_lock keeps everybody else out of these relations, and out of the verbs, to the end of the transaction: all at once, or not at all.
--
-- As `cognifold upgrade` does (locks.py says why): first from vacuum alone, which gives way; then from everybody, by turns in either order,
-- so briefly that nobody who waits behind is taken for the victim of a deadlock; given back and tried again till patience is at its end.
CREATE OR REPLACE FUNCTION cognifold.installer_lock(names text[], patience interval) RETURNS void
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET lock_timeout = 0  -- so that what is set below is the caller's again afterwards
AS $$
DECLARE
    give_up CONSTANT timestamptz := clock_timestamp() + patience;
    briefly CONSTANT interval := (cognifold.installer_release() ->> 'lock_timeout')::double precision * interval '1 s';
    wait interval;
    until timestamptz;
    mode text;
    forwards boolean := true;
    statement text;
    who text;
BEGIN
    IF to_regclass('cognifold.tenant') IS NULL THEN
        RETURN;  -- a database without a memory
    END IF;
    FOREACH mode IN ARRAY ARRAY['SHARE UPDATE EXCLUSIVE', 'ACCESS EXCLUSIVE'] LOOP
        -- An autovacuum is told to go after deadlock_timeout.
        wait := CASE mode WHEN 'ACCESS EXCLUSIVE' THEN briefly ELSE greatest(briefly, 1.5 * current_setting('deadlock_timeout')::interval) END;
        <<attempt>>
        LOOP
            until := least(clock_timestamp() + wait, give_up);
            BEGIN
                FOR statement IN
                    -- Views, tables, and tenant, which every verb asks first; or the other way round. (LOCK TABLE would lock what a view reads, too.)
                    SELECT CASE r.relkind WHEN 'v' THEN format('ALTER VIEW %s OWNER TO cognifold_owner', r.name) ELSE format('LOCK TABLE %s IN %s MODE', r.name, mode) END
                    FROM (
                        SELECT c.relkind, c.oid::regclass AS name,
                               row_number() OVER (ORDER BY c.relkind <> 'v', c.oid = 'cognifold.tenant'::regclass, c.relname COLLATE "C") AS place
                        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
                        WHERE n.nspname || '.' || c.relname = ANY (names || '{cognifold.tenant}')
                          AND c.relkind = ANY (CASE mode WHEN 'ACCESS EXCLUSIVE' THEN '{r,p,v}' ELSE '{r,p}' END::"char"[])
                    ) AS r
                    ORDER BY CASE WHEN forwards THEN r.place ELSE -r.place END
                LOOP
                    PERFORM set_config('lock_timeout', greatest(ceil(1000 * extract(epoch FROM until - clock_timestamp())), 1)::text, true);
                    EXECUTE statement;
                END LOOP;
                EXIT attempt;
            EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
                NULL;  -- and what it had is given back
            END;
            IF clock_timestamp() > give_up THEN
                SELECT string_agg(DISTINCT format('process %s (%s, role %s)', l.pid, coalesce(nullif(a.application_name, ''), 'no application_name'), a.usename), ', ') INTO who
                FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation AND c.relnamespace = 'cognifold'::regnamespace
                LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid
                WHERE l.granted AND l.pid <> pg_backend_pid() AND l.database = (SELECT d.oid FROM pg_database AS d WHERE d.datname = current_database());
                RAISE EXCEPTION 'What is to be locked was in use for %; nothing was changed. It is held by %.', justify_interval(patience), coalesce(who, 'nobody any more')
                    USING ERRCODE = 'lock_not_available',
                          HINT = 'Let it end, or end it (SELECT pg_terminate_backend(process)), and call migrate() again. With SET lock_timeout = ''5min'' it tries for so long.';
            END IF;
            forwards := NOT forwards;
            PERFORM pg_sleep(0.5);  -- others have the time to finish what they were kept from
        END LOOP;
    END LOOP;
END
$$;

COMMENT ON FUNCTION cognifold.installer_lock(text[], interval) IS
    'Keeps everybody else out of the relations of these names and out of the verbs, to the end of the transaction; other names are passed over. Raises 55P03, naming who has them, once patience is at its end; then it holds none. For migrate, as cognifold_owner. A member of the extension.';
