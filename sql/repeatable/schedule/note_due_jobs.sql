-- note_due_jobs: brings schedules up to date: new tenants and jobs get their rows, and what follows on folds is wanted once there were enough.
CREATE OR REPLACE FUNCTION cognifold.note_due_jobs(tenant text DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.current_tenant();
    visited  text;
    lacking  record;
    number   bigint;
    noted    bigint := 0;
BEGIN
    IF tenant IS NOT NULL THEN
        previous := cognifold.enter_tenant(tenant);
    END IF;
    FOR lacking IN SELECT m.* FROM cognifold.schedules_missing() AS m WHERE m.tenant = coalesce(note_due_jobs.tenant, previous, m.tenant) LOOP
        PERFORM set_config('cognifold.tenant', lacking.tenant, true);
        -- From the next period on: a memory just made has nothing to sleep on.
        INSERT INTO cognifold.schedule (tenant_id, job, next_at)
        SELECT lacking.tenant, j.job, cognifold.job_period(lacking.tenant, j.job, c.moment, e.every, j.jitter) + e.every
        FROM cognifold.job AS j
        CROSS JOIN LATERAL (SELECT CASE j.clock WHEN 'memory' THEN cognifold.now() ELSE clock_timestamp() END AS moment) AS c
        CROSS JOIN LATERAL (SELECT coalesce(j.own_every, j.every) AS every) AS e
        WHERE j.job = lacking.job
        ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS number = ROW_COUNT;
        noted := noted + number;
    END LOOP;
    FOR visited IN
        SELECT a.tenant FROM cognifold.all_tenants() AS a
        WHERE a.tenant = coalesce(note_due_jobs.tenant, previous, a.tenant) AND cognifold.tenant_permitted(a.tenant)
    LOOP
        PERFORM set_config('cognifold.tenant', visited, true);
        WITH due AS (
            SELECT s.job
            FROM cognifold.schedule AS s
            JOIN cognifold.job AS j ON j.job = s.job
            CROSS JOIN LATERAL (SELECT coalesce(s.after_folds, j.own_folds, j.after_folds, 0) AS enough) AS e
            WHERE s.tenant_id = visited AND s.wanted IS NULL AND e.enough > 0
              AND cognifold.folded_since(visited, coalesce(s.last_run_at, '-infinity'), e.enough) >= e.enough
            FOR UPDATE OF s SKIP LOCKED
        )
        UPDATE cognifold.schedule AS s SET wanted = 'folds'
        FROM due AS d WHERE s.tenant_id = visited AND s.job = d.job;
        GET DIAGNOSTICS number = ROW_COUNT;
        noted := noted + number;
    END LOOP;
    PERFORM set_config('cognifold.tenant', coalesce(previous, ''), true);
    RETURN noted;
END
$$;
COMMENT ON FUNCTION cognifold.note_due_jobs(text) IS
    'Adds the schedules that tenants lack, and marks those whose after_folds events were folded since they last ran; how many. Of one tenant, or of all that the role may use. Any number may do so at once. For cognifold_worker.';
