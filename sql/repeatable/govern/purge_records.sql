-- purge_records: removes, a bounded number at a time, what only tells of work long done.
CREATE OR REPLACE FUNCTION cognifold.purge_records(tenant text, maximum integer) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    clock     timestamptz := clock_timestamp();
    runs      bigint;
    passes    bigint;
    retention bigint;
    reads     bigint;
BEGIN
    DELETE FROM cognifold.job_run AS r
    USING (SELECT o.job, o.period FROM cognifold.job_run AS o
           WHERE o.tenant_id = tenant AND o.finished_at < clock - make_interval(secs => 86400 * cognifold.setting('schedule.keep', tenant))
           ORDER BY o.finished_at LIMIT maximum) AS d
    WHERE r.tenant_id = tenant AND r.job = d.job AND r.period = d.period;
    GET DIAGNOSTICS runs = ROW_COUNT;
    -- The last pass stays, however old: the next one begins where it ended.
    DELETE FROM cognifold.consolidation_run AS r
    USING (SELECT o.run_id FROM cognifold.consolidation_run AS o
           WHERE o.tenant_id = tenant AND o.state <> 'running'
             AND o.updated_at < clock - make_interval(secs => 86400 * cognifold.setting('retention.keep', tenant))
             AND EXISTS (SELECT FROM cognifold.consolidation_run AS l WHERE l.tenant_id = tenant AND l.run_id <> o.run_id AND l.finished_at > o.updated_at)
           ORDER BY o.updated_at LIMIT maximum) AS d
    WHERE r.tenant_id = tenant AND r.run_id = d.run_id;
    GET DIAGNOSTICS passes = ROW_COUNT;
    DELETE FROM cognifold.retention_run AS r
    USING (SELECT o.run_id FROM cognifold.retention_run AS o
           WHERE o.tenant_id = tenant AND o.finished_at < clock - make_interval(secs => 86400 * cognifold.setting('retention.keep', tenant))
           ORDER BY o.finished_at LIMIT maximum) AS d
    WHERE r.tenant_id = tenant AND r.run_id = d.run_id;
    GET DIAGNOSTICS retention = ROW_COUNT;
    DELETE FROM cognifold.audit_read AS r
    USING (SELECT o.audit_id, o.read_at FROM cognifold.audit_read AS o WHERE o.tenant_id = tenant ORDER BY o.audit_id LIMIT maximum) AS d
    WHERE r.tenant_id = tenant AND r.audit_id = d.audit_id AND d.read_at < clock - make_interval(secs => 86400 * cognifold.setting('audit.keep', tenant));
    GET DIAGNOSTICS reads = ROW_COUNT;
    RETURN jsonb_build_object('runs', runs, 'passes', passes, 'retention_runs', retention, 'audit_reads', reads,
                              'more', maximum <= greatest(runs, passes, retention, reads));
END
$$;
COMMENT ON FUNCTION cognifold.purge_records(text, integer) IS
    'Removes up to maximum rows each of job_run (after schedule.keep days), consolidation_run and retention_run (retention.keep) and audit_read (audit.keep). Returns how many of each, and whether one has more. Internal: the job retention.';
