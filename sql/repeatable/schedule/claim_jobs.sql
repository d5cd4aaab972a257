-- claim_jobs: takes jobs that are due for a while. The row of a period is unique, so it is claimed once, however many processes look.
CREATE OR REPLACE FUNCTION cognifold.claim_jobs(
    max_jobs integer DEFAULT 1, slots text[] DEFAULT NULL, jobs text[] DEFAULT NULL, tenants text[] DEFAULT NULL, worker text DEFAULT NULL
) RETURNS TABLE (tenant text, job text, period timestamptz, cause text, fence bigint, attempts integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 5
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.current_tenant();
    claimant text := left(coalesce(NULLIF(btrim(worker), ''), format('session %s of %s', pg_backend_pid(), session_user)), 200);
    clock    timestamptz := clock_timestamp();
    due      record;
    plan     record;
    open     cognifold.job_run;
    given_up integer;
    taken    integer := 0;
BEGIN
    IF max_jobs IS NULL OR max_jobs < 1 THEN
        RAISE EXCEPTION 'claim_jobs: max_jobs = % is not a positive number', coalesce(max_jobs::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Say how many jobs to claim at most.';
    END IF;
    FOR due IN
        SELECT d.* FROM cognifold.schedules_due(cognifold.now()) AS d
        WHERE d.slot = ANY (coalesce(slots, ARRAY[d.slot])) AND d.job = ANY (coalesce(jobs, ARRAY[d.job]))
          AND d.tenant = ANY (coalesce(tenants, ARRAY[d.tenant])) AND d.tenant = coalesce(previous, d.tenant)
    LOOP
        EXIT WHEN taken >= max_jobs;
        tenant := due.tenant;
        job := due.job;
        PERFORM set_config('cognifold.tenant', tenant, true);
        -- The schedule's row is what claims of it take turns by; whoever finds it held leaves it to the holder.
        SELECT s.wanted, s.next_at, coalesce(s.every, j.own_every, j.every) AS every, m.moment,
               cognifold.job_period(tenant, job, m.moment, coalesce(s.every, j.own_every, j.every), j.jitter) AS period
        INTO plan
        FROM cognifold.schedule AS s
        JOIN cognifold.job AS j ON j.job = s.job
        CROSS JOIN LATERAL (SELECT CASE j.clock WHEN 'memory' THEN cognifold.now() ELSE clock END AS moment) AS m
        WHERE s.tenant_id = tenant AND s.job = job
        FOR UPDATE OF s SKIP LOCKED;
        CONTINUE WHEN NOT FOUND;
        given_up := cognifold.setting('schedule.attempts', tenant);
        fence := nextval('cognifold.job_fence');

        -- What somebody has begun and not ended comes first.
        SELECT r.* INTO open FROM cognifold.job_run AS r WHERE r.tenant_id = tenant AND r.job = job AND r.lease_until IS NOT NULL;
        IF FOUND THEN
            CONTINUE WHEN open.lease_until > clock;
            IF open.attempts >= given_up OR open.cause = 'period' AND open.period < plan.period THEN
                UPDATE cognifold.job_run AS r
                SET state = CASE WHEN r.attempts >= given_up THEN 'dead' ELSE 'missed' END, lease_until = NULL, finished_at = clock,
                    error_state = coalesce(r.error_state, 'CF050'), error = coalesce(r.error, format('begun %s times, never finished; last by %s', r.attempts, r.worker))
                WHERE r.tenant_id = tenant AND r.job = job AND r.period = open.period;
            ELSE
                UPDATE cognifold.job_run AS r
                SET state = 'running', attempts = r.attempts + 1, fence = claim_jobs.fence, worker = claimant,
                    lease_until = clock + make_interval(secs => cognifold.setting('schedule.lease', tenant))
                WHERE r.tenant_id = tenant AND r.job = job AND r.period = open.period
                RETURNING r.period, r.cause, r.attempts INTO period, cause, attempts;
                taken := taken + 1;
                RETURN NEXT;
                CONTINUE;
            END IF;
        END IF;

        cause := coalesce(plan.wanted, 'period');
        period := CASE cause WHEN 'period' THEN plan.period ELSE plan.moment END;
        IF plan.wanted IS NULL AND NOT (plan.next_at <= plan.moment OR plan.next_at > plan.moment + plan.every) THEN
            CONTINUE;   -- somebody was faster
        END IF;
        IF cause = 'asked' OR cognifold.job_has_work(tenant, job, plan.moment) THEN
            INSERT INTO cognifold.job_run AS r (tenant_id, job, period, cause, state, attempts, fence, worker, started_at, lease_until)
            VALUES (tenant, job, period, cause, 'running', 1, fence, claimant, clock,
                    clock + make_interval(secs => cognifold.setting('schedule.lease', tenant)))
            ON CONFLICT ON CONSTRAINT job_run_pkey DO NOTHING
            RETURNING r.attempts INTO attempts;
            IF FOUND THEN
                UPDATE cognifold.schedule AS s SET last_period = period, last_run_at = clock WHERE s.tenant_id = tenant AND s.job = job;
                taken := taken + 1;
                RETURN NEXT;
            END IF;
        END IF;
        -- Periods that nobody was there for are passed over: the one that is now counts for all of them.
        UPDATE cognifold.schedule AS s
        SET next_at = plan.period + plan.every, wanted = NULL, last_run_at = CASE cause WHEN 'folds' THEN clock ELSE s.last_run_at END
        WHERE s.tenant_id = tenant AND s.job = job;
    END LOOP;
    PERFORM set_config('cognifold.tenant', coalesce(previous, ''), true);
END
$$;
COMMENT ON FUNCTION cognifold.claim_jobs(integer, text[], text[], text[], text) IS
    'Claims up to max_jobs jobs that are due, of these slots, jobs and tenants (NULL: any), each for schedule.lease seconds. What was begun and left comes first, up to schedule.attempts times within its period; then each job once a period, if it has anything to do. Commit at once, keep the lease up with renew_job, and end with finish_job or release_job, by fence. For cognifold_worker; a role bound to tenants claims theirs only. Raises CF010 for a number out of range.';
