-- finish_job, release_job, renew_job: what who has claimed a job says of it, by the fence of the claim.
CREATE OR REPLACE FUNCTION cognifold.finish_job(
    job text, period timestamptz, fence bigint, report jsonb DEFAULT NULL, error_state text DEFAULT NULL, error text DEFAULT NULL,
    tenant text DEFAULT cognifold.required_tenant()
) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    clock    timestamptz := clock_timestamp();
    given_up integer := cognifold.setting('schedule.attempts', tenant);
    outcome  text;
BEGIN
    UPDATE cognifold.job_run AS r
    SET state = n.state, report = coalesce(finish_job.report, r.report),
        error_state = finish_job.error_state, error = left(finish_job.error, 2000),
        finished_at = CASE WHEN n.state <> 'failed' THEN clock END,
        lease_until = CASE n.state WHEN 'failed'
                      THEN clock + cognifold.retry_pause(cognifold.setting('schedule.retry_delay', tenant), r.attempts) END
    FROM (SELECT CASE WHEN coalesce(finish_job.error_state, finish_job.error) IS NULL THEN 'done'
                      WHEN o.attempts >= given_up THEN 'dead' ELSE 'failed' END AS state
          FROM cognifold.job_run AS o
          WHERE o.tenant_id = tenant AND o.job = job AND o.period = period) AS n
    WHERE r.tenant_id = tenant AND r.job = job AND r.period = period AND r.fence = finish_job.fence AND r.state = 'running'
    RETURNING r.state INTO outcome;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'job % of %, claim %, is not yours any more', job, period, fence
            USING ERRCODE = 'CF050', HINT = 'Its lease ran out and another took it up, or it was ended. What you did of it stands; the table job_run says who has it.';
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN outcome;
END
$$;
COMMENT ON FUNCTION cognifold.finish_job(text, timestamptz, bigint, jsonb, text, text, text) IS
    'Ends a claimed job: done, with a report; or, with an error, failed (tried again after a pause) or dead (after schedule.attempts). Returns which. Raises CF050 where the claim is not good any more.';

CREATE OR REPLACE FUNCTION cognifold.release_job(
    job text, period timestamptz, fence bigint, tenant text DEFAULT cognifold.required_tenant()
) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    released boolean;
BEGIN
    UPDATE cognifold.job_run AS r
    SET attempts = greatest(r.attempts - 1, 0), lease_until = clock_timestamp(), fence = nextval('cognifold.job_fence')
    WHERE r.tenant_id = tenant AND r.job = job AND r.period = period AND r.fence = release_job.fence AND r.state = 'running';
    released := FOUND;
    PERFORM cognifold.leave_tenant(previous);
    RETURN released;
END
$$;
COMMENT ON FUNCTION cognifold.release_job(text, timestamptz, bigint, text) IS
    'For a worker that is told to stop: the job may be claimed by others at once, and the attempt is taken off. False where the claim was not good any more.';

CREATE OR REPLACE FUNCTION cognifold.renew_job(
    job text, period timestamptz, fence bigint, tenant text DEFAULT cognifold.required_tenant()
) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    renewed  boolean;
BEGIN
    UPDATE cognifold.job_run AS r
    SET lease_until = clock_timestamp() + make_interval(secs => cognifold.setting('schedule.lease', tenant))
    WHERE r.tenant_id = tenant AND r.job = job AND r.period = period AND r.fence = renew_job.fence AND r.state = 'running';
    renewed := FOUND;
    PERFORM cognifold.leave_tenant(previous);
    RETURN renewed;
END
$$;
COMMENT ON FUNCTION cognifold.renew_job(text, timestamptz, bigint, text) IS
    'Keeps a claimed job for another schedule.lease seconds. False where the claim is not good any more: then leave off.';
