-- job_status: how each job of the schedule stands: when it is due, and what came of it last.
CREATE OR REPLACE FUNCTION cognifold.job_states() RETURNS TABLE (
    tenant_id text, job text, enabled boolean, every interval, after_folds integer, clock text, next_at timestamptz, wanted text,
    overdue double precision, last_period timestamptz, last_run_at timestamptz, state text, attempts integer, worker text,
    seconds double precision, report jsonb, error text
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    wanted_tenant text := cognifold.current_tenant();
    visited       text;
BEGIN
    FOR visited IN SELECT w.tenant FROM cognifold.watched_tenants() AS w LOOP
        PERFORM set_config('cognifold.tenant', visited, true);
        RETURN QUERY
        SELECT visited, j.job, e.enabled, e.every, NULLIF(coalesce(s.after_folds, j.own_folds, j.after_folds), 0), j.clock, s.next_at, s.wanted,
               CASE WHEN e.enabled AND s.next_at < e.moment AND r.lease_until IS NULL
                         AND cognifold.job_has_work(visited, j.job, e.moment)
                    THEN extract(epoch FROM e.moment - s.next_at) ELSE 0 END::double precision,
               s.last_period, s.last_run_at, r.state, r.attempts::integer, r.worker,
               extract(epoch FROM coalesce(r.finished_at, clock_timestamp()) - r.started_at)::double precision, r.report, r.error
        FROM cognifold.job AS j
        JOIN cognifold.schedule AS s ON s.tenant_id = visited AND s.job = j.job
        CROSS JOIN LATERAL (
            SELECT coalesce(s.every, j.own_every, j.every) AS every, coalesce(s.enabled, j.own_enabled, true) AS enabled,
                   CASE j.clock WHEN 'memory' THEN cognifold.now() ELSE clock_timestamp() END AS moment) AS e
        LEFT JOIN cognifold.job_run AS r ON r.tenant_id = visited AND r.job = j.job AND r.period = s.last_period;
    END LOOP;
    PERFORM set_config('cognifold.tenant', coalesce(wanted_tenant, ''), true);
END
$$;
COMMENT ON FUNCTION cognifold.job_states() IS 'What the view job_status shows. Internal.';

CREATE OR REPLACE VIEW cognifold.job_status WITH (security_invoker = true) AS
SELECT s.tenant_id, s.job, s.enabled, s.every, s.after_folds, s.clock, s.next_at, s.wanted, s.overdue, s.last_period, s.last_run_at,
       s.state, s.attempts, s.worker, s.seconds, s.report, s.error
FROM cognifold.job_states() AS s;  -- which decides whose
COMMENT ON VIEW cognifold.job_status IS 'How each job of a tenant''s schedule stands, and its last run. Whose: as of the view lag.';
COMMENT ON COLUMN cognifold.job_status.clock IS 'The clock that next_at and last_period are of: memory or wall.';
COMMENT ON COLUMN cognifold.job_status.overdue IS 'Seconds since it became due, where there is something to do and nobody has taken it up; else 0.';
COMMENT ON COLUMN cognifold.job_status.state IS 'Of the last run: running, failed (tried again), done, dead (given up till the next period), missed; NULL: none is kept.';
COMMENT ON COLUMN cognifold.job_status.seconds IS 'How long the last run took, or has taken so far.';
COMMENT ON COLUMN cognifold.job_status.report IS 'What came of it, in numbers.';
