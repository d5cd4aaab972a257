-- set_schedule, ask_job: what a tenant wants done otherwise, or now. set_job: what an administrator wants for all.
CREATE OR REPLACE FUNCTION cognifold.set_schedule(
    job text, every interval DEFAULT NULL, after_folds integer DEFAULT NULL, enabled boolean DEFAULT NULL,
    tenant text DEFAULT cognifold.required_tenant()
) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    own      cognifold.job := cognifold.known_job(job);
    moment   timestamptz := CASE own.clock WHEN 'memory' THEN cognifold.now() ELSE clock_timestamp() END;
    length   interval := coalesce(every, own.own_every, own.every);
BEGIN
    PERFORM cognifold.checked_period(every, after_folds);
    INSERT INTO cognifold.schedule AS s (tenant_id, job, every, after_folds, enabled, next_at)
    VALUES (tenant, job, every, after_folds, enabled, cognifold.job_period(tenant, job, moment, length, own.jitter) + length)
    ON CONFLICT ON CONSTRAINT schedule_pkey DO UPDATE
    SET every = excluded.every, after_folds = excluded.after_folds, enabled = excluded.enabled, next_at = excluded.next_at;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.set_schedule(text, interval, integer, boolean, text) IS
    'When a job is done for the tenant: every (days and shorter units, at least a second), after_folds (so many folded events; 0: by the clock alone), enabled. What is left out is as the job says. Holds from the next period on. Raises CF010 for a job there is not and for a value out of range.';

CREATE OR REPLACE FUNCTION cognifold.ask_job(job text, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    own      cognifold.job := cognifold.known_job(job);
    moment   timestamptz := CASE own.clock WHEN 'memory' THEN cognifold.now() ELSE clock_timestamp() END;
    length   interval := coalesce(own.own_every, own.every);
BEGIN
    INSERT INTO cognifold.schedule AS s (tenant_id, job, next_at, wanted)
    VALUES (tenant, job, cognifold.job_period(tenant, job, moment, length, own.jitter) + length, 'asked')
    ON CONFLICT ON CONSTRAINT schedule_pkey DO UPDATE SET wanted = 'asked';
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.ask_job(text, text) IS
    'Has a worker do a job for the tenant as soon as one is free, once, whenever it is due next. Raises CF010 for a job there is not.';

CREATE OR REPLACE FUNCTION cognifold.set_job(
    job text, every interval DEFAULT NULL, after_folds integer DEFAULT NULL, enabled boolean DEFAULT NULL
) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY INVOKER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    PERFORM cognifold.known_job(job);
    PERFORM cognifold.checked_period(every, after_folds);
    UPDATE cognifold.job AS j SET own_every = every, own_folds = after_folds, own_enabled = enabled WHERE j.job = set_job.job;
END
$$;
COMMENT ON FUNCTION cognifold.set_job(text, interval, integer, boolean) IS
    'When a job is done for all tenants that have set nothing else (set_schedule); what is left out is as the memory comes. For administrators (writes job).';

CREATE OR REPLACE FUNCTION cognifold.known_job(job text) RETURNS cognifold.job
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    found_job cognifold.job;
BEGIN
    SELECT j.* INTO found_job FROM cognifold.job AS j WHERE j.job = known_job.job;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no job %', coalesce(quote_literal(job), 'NULL')
            USING ERRCODE = 'CF010', HINT = 'SELECT job, description FROM cognifold.job lists them.';
    END IF;
    RETURN found_job;
END
$$;
COMMENT ON FUNCTION cognifold.known_job(text) IS 'A job by its name; CF010 where there is none. Internal.';

CREATE OR REPLACE FUNCTION cognifold.checked_period(every interval, after_folds integer) RETURNS void
LANGUAGE plpgsql IMMUTABLE
SET search_path FROM CURRENT
AS $$
BEGIN
    IF every NOT BETWEEN '1 second' AND '3650 days' OR date_part('month', every) <> 0 OR date_part('year', every) <> 0 THEN
        RAISE EXCEPTION 'every = % is no period', every
            USING ERRCODE = 'CF010', HINT = 'Give days and shorter units, from a second to ten years of days: months are not all of one length.';
    ELSIF after_folds < 0 THEN
        RAISE EXCEPTION 'after_folds = % is negative', after_folds
            USING ERRCODE = 'CF010', HINT = 'Give a number of events, or 0 for none.';
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.checked_period(interval, integer) IS 'CF010 for a period or a number of folds that is none. Internal.';
