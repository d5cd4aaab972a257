-- schedule_faults: what schedules and runs promise of each other, and do not hold.
CREATE OR REPLACE FUNCTION cognifold.schedule_faults(tenant text) RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    RETURN QUERY
    SELECT 'a run ends after it begins', format('%s of %s', r.job, r.period), format('began %s, ended %s', r.started_at, r.finished_at)
    FROM cognifold.job_run AS r
    WHERE r.tenant_id = tenant AND r.finished_at < r.started_at
    UNION ALL
    SELECT 'a run belongs to a schedule', format('%s of %s', r.job, r.period), r.state
    FROM cognifold.job_run AS r
    WHERE r.tenant_id = tenant AND NOT EXISTS (SELECT FROM cognifold.schedule AS s WHERE s.tenant_id = tenant AND s.job = r.job)
    UNION ALL
    SELECT 'a run that has ended well tells of no error', format('%s of %s', r.job, r.period), r.error
    FROM cognifold.job_run AS r
    WHERE r.tenant_id = tenant AND r.state = 'done' AND r.error IS NOT NULL;
END
$$;
COMMENT ON FUNCTION cognifold.schedule_faults(text) IS 'Runs of no schedule, that end before they begin, or are done and have an error. Internal: for check.';
