-- diagnosis: what is wrong with the running memory, and what to do about it, a row a finding; none where all is well.
CREATE OR REPLACE FUNCTION cognifold.diagnose() RETURNS TABLE (severity text, subject text, finding text, remedy text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    present  timestamptz := clock_timestamp();
    folder boolean := EXISTS (SELECT FROM cognifold.worker_process AS w
                              WHERE w.stopped_at IS NULL AND w.seen_at > present - interval '1 minute' AND 'fold' = ANY (w.does));
    keeper boolean := EXISTS (SELECT FROM cognifold.worker_process AS w
                              WHERE w.stopped_at IS NULL AND w.seen_at > present - interval '1 minute' AND w.does && ARRAY['light', 'heavy']);
    wanted  text := cognifold.current_tenant();
    visited text;
BEGIN
    RETURN QUERY
    SELECT 'error', 'health: ' || h.name, h.detail,
           CASE h.name
               WHEN 'extension' THEN 'Install pgvector 0.7 or newer, and run: cognifold init'
               WHEN 'schema' THEN 'Run: cognifold init'
               WHEN 'lexicon' THEN 'Run: cognifold init'
               WHEN 'row level security' THEN 'Run: cognifold init. Tables of your own do not belong into the schema cognifold.'
               ELSE 'The detail says what the database answered; its log says more.' END
    FROM cognifold.health() AS h WHERE NOT h.ok
    UNION ALL
    SELECT 'warning', 'schema', format('%s was %s by hand since the last install', d.identity, d.change),
           'To have it as it was: cognifold upgrade --repair. What is meant to differ belongs into a schema of your own.'
    FROM cognifold.drift() AS d
    UNION ALL
    SELECT 'error', 'worker ' || w.name, format('it runs version %s, which this schema (version %s) takes no more', w.version, cognifold.schema_version()),
           format('Install cognifold-pg %s or newer there, and start it again.', cognifold.oldest_client())
    FROM cognifold.worker_process AS w
    WHERE w.stopped_at IS NULL AND w.seen_at > present - interval '1 minute'
      AND cognifold.version_numbers(w.version) < cognifold.version_numbers(cognifold.oldest_client()) AND w.version <> '0'
    UNION ALL
    SELECT 'warning', 'notifications', format('the queue of notifications is %s %% full: a listener does not read', round(100 * pg_notification_queue_usage())),
           'End the session that listens within an open transaction: SELECT pid, query FROM pg_stat_activity WHERE query ~* ''listen'''
    WHERE pg_notification_queue_usage() >= 0.25
    UNION ALL
    SELECT 'note', 'doorbell', 'two-phase commit is allowed on this server, so remember does not wake the workers: they look by themselves',
           'Nothing need be done. With max_prepared_transactions = 0 events are folded a little sooner.'
    WHERE current_setting('max_prepared_transactions') <> '0'
    UNION ALL
    SELECT CASE WHEN count(*) FILTER (WHERE r.name = 'everybody') > 0 THEN 'error' ELSE 'warning' END, 'pgvector',
           format('%s may create objects in the schema "%s", where pgvector is, and with them reach into every tenant', string_agg(r.name, ', ' ORDER BY r.name COLLATE "C"), n.nspname),
           format('REVOKE CREATE ON SCHEMA %I FROM ...; or give pgvector a schema of its own: ALTER EXTENSION vector SET SCHEMA ..., then cognifold init', n.nspname)
    FROM pg_extension AS e
    JOIN pg_namespace AS n ON n.oid = e.extnamespace
    CROSS JOIN LATERAL (
        SELECT DISTINCT CASE a.grantee WHEN 0 THEN 'everybody' ELSE a.grantee::regrole::text END AS name
        FROM aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) AS a
        WHERE a.privilege_type = 'CREATE' AND a.grantee NOT IN (n.nspowner, 'cognifold_owner'::regrole)
          AND NOT coalesce((SELECT s.rolsuper FROM pg_roles AS s WHERE s.oid = a.grantee), false)
    ) AS r
    WHERE e.extname = 'vector'
    GROUP BY n.nspname
    UNION ALL
    SELECT 'error', 'durability', 'fsync is off: a crash of the machine may cost the database', 'Set fsync = on.'
    WHERE current_setting('fsync') = 'off'
    UNION ALL
    SELECT 'error', 'autovacuum', 'autovacuum is off: queues grow slow, and the database unusable in the end', 'Set autovacuum = on.'
    WHERE current_setting('autovacuum') = 'off'
    UNION ALL
    SELECT 'warning', 'connections', format('%s of %s connections are in use', u.used, current_setting('max_connections')),
           'Use a pool, give each Memory a smaller pool_size, or raise max_connections.'
    FROM (SELECT count(*) AS used FROM pg_stat_activity AS a WHERE a.backend_type = 'client backend') AS u
    WHERE u.used > 0.9 * current_setting('max_connections')::integer
    UNION ALL
    SELECT 'warning', 'transactions', format('session %s has had a transaction open since %s: what is deleted meanwhile is not cleared away', a.pid, date_trunc('second', a.xact_start)),
           format('Find out whose it is; to end it: SELECT pg_terminate_backend(%s)', a.pid)
    FROM pg_stat_activity AS a
    WHERE a.datname = current_database() AND a.xact_start < present - interval '1 hour' AND a.backend_type = 'client backend';

    FOR visited IN SELECT w.tenant FROM cognifold.watched_tenants() AS w LOOP
        PERFORM set_config('cognifold.tenant', visited, true);
        RETURN QUERY
        WITH queue AS (
            SELECT count(*) FILTER (WHERE w.state <> 'dead') AS waiting, min(w.enqueued_at) FILTER (WHERE w.state = 'ready') AS oldest,
                   count(*) FILTER (WHERE w.state = 'dead') AS dead, max(w.error_state) FILTER (WHERE w.state = 'dead') AS reason,
                   count(*) FILTER (WHERE w.state = 'rate_limited') AS limited
            FROM cognifold.work AS w WHERE w.tenant_id = visited AND w.task = 'fold'
        )
        SELECT 'error', format('tenant %s', visited), format('%s events wait since %s, and no worker is there', q.waiting, date_trunc('second', q.oldest)),
               'Start one: cognifold worker'
        FROM queue AS q WHERE q.oldest < present - interval '1 minute' AND NOT folder
        UNION ALL
        SELECT 'warning', format('tenant %s', visited), format('%s events wait, the longest since %s', q.waiting, date_trunc('second', q.oldest)),
               CASE WHEN cognifold.fold_share(visited) = 0 THEN 'It has reached fold.rate or fold.budget: raise them with set_setting, or let it wait.'
                    WHEN (cognifold.tenant_model(visited)).provider <> 'lexicon'
                        THEN format('Its vectors are made by %L: run a worker with that model (cognifold worker --embed).', (cognifold.tenant_model(visited)).name)
                    ELSE 'Run more workers, on more cores; SELECT * FROM cognifold.lag says how fast it goes.' END
        FROM queue AS q WHERE q.oldest < present - interval '5 minutes' AND folder
        UNION ALL
        SELECT 'warning', format('tenant %s', visited), format('%s events were given up (last kind of failure: %s)', q.dead, coalesce(q.reason, 'unknown')),
               'See cognifold.dead_letter for the reasons; once they are gone: SELECT cognifold.retry()'
        FROM queue AS q WHERE q.dead > 0
        UNION ALL
        SELECT 'note', format('tenant %s', visited), format('%s events wait for a model''s service that asked to wait', q.limited),
               'They are taken up again by themselves; a higher limit at the service, or a smaller model, makes it faster.'
        FROM queue AS q WHERE q.limited > 0
        UNION ALL
        SELECT 'warning', format('tenant %s', visited), format('job %s was given up at %s: %s', r.job, date_trunc('second', r.finished_at), coalesce(r.error, 'no reason was given')),
               format('It is tried again at its next period; at once: SELECT cognifold.ask_job(%L)', r.job)
        FROM (SELECT DISTINCT ON (r.job) r.* FROM cognifold.job_run AS r
              WHERE r.tenant_id = visited AND r.state IN ('dead', 'done') ORDER BY r.job, r.started_at DESC) AS r
        WHERE r.state = 'dead'
        UNION ALL
        SELECT 'warning', format('tenant %s', visited), format('job %s has been due since %s', s.job, date_trunc('second', s.next_at)),
               CASE WHEN keeper THEN 'Run more workers: those there are do not keep up.' ELSE 'Start a worker: cognifold worker' END
        FROM cognifold.schedule AS s JOIN cognifold.job AS j ON j.job = s.job
        WHERE s.tenant_id = visited AND coalesce(s.enabled, j.own_enabled, true)
          AND s.next_at < (CASE j.clock WHEN 'memory' THEN cognifold.now() ELSE present END) - 2 * coalesce(s.every, j.own_every, j.every)
          AND cognifold.job_has_work(visited, s.job, CASE j.clock WHEN 'memory' THEN cognifold.now() ELSE present END);
    END LOOP;
    -- All being well must not be read into having seen nobody's work.
    IF NOT FOUND AND EXISTS (SELECT FROM cognifold.all_tenants()) THEN
        RETURN QUERY
        SELECT 'note', 'tenants', CASE WHEN wanted IS NULL THEN 'no tenant''s work was looked at: this role is bound to tenants, and none is set'
                                       ELSE format('tenant "%s" is not there, or not this role''s to look at', wanted) END,
               'Name one of its own: cognifold doctor --tenant NAME, or SET cognifold.tenant = ''name''.';
    END IF;
    PERFORM set_config('cognifold.tenant', coalesce(wanted, ''), true);
END
$$;
COMMENT ON FUNCTION cognifold.diagnose() IS 'What the view diagnosis shows. Internal.';

CREATE OR REPLACE VIEW cognifold.diagnosis WITH (security_invoker = true) AS
SELECT d.severity, d.subject, d.finding, d.remedy FROM cognifold.diagnose() AS d;
COMMENT ON VIEW cognifold.diagnosis IS 'What is wrong with the running memory and what to do, looked for anew each time: the checks of health, what was changed by hand, the server''s settings, workers that are missing or too old, what waits too long, what was given up. No row: all is well. Of tenants whose work the role may see (as of the view lag). Names and numbers, and the database''s words on why a job failed.';
COMMENT ON COLUMN cognifold.diagnosis.severity IS 'error: the memory does not work; warning: it will not for long, or not for all; note: good to know.';
