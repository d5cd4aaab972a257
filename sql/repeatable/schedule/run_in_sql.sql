-- run_in_sql: a job that the database can do by itself, within a transaction of the caller.
CREATE OR REPLACE FUNCTION cognifold.run_in_sql(job text, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    report   jsonb;
    number   bigint;
BEGIN
    CASE job
    WHEN 'consolidate' THEN   -- within the lease, which nobody renews meanwhile
        report := cognifold.consolidate(tenant => tenant, time_budget => interval '30 seconds', wait => false) - 'plans';
    WHEN 'intents' THEN
        SELECT jsonb_build_object('emitted', count(*)) INTO report FROM cognifold.emit_intents(NULL, tenant);
    WHEN 'alarms' THEN
        report := jsonb_build_object('noted', cognifold.note_alarms(tenant));
    WHEN 'index' THEN
        report := jsonb_build_object('indexed', cognifold.index_vectors(2000, tenant));
    WHEN 'retention' THEN
        DELETE FROM cognifold.job_run AS r
        WHERE r.tenant_id = tenant AND r.finished_at < clock_timestamp() - make_interval(days => cognifold.setting('schedule.keep', tenant)::integer);
        GET DIAGNOSTICS number = ROW_COUNT;
        report := jsonb_build_object('runs', number, 'outbox', cognifold.purge_outbox(NULL, tenant));
    ELSE
        RAISE EXCEPTION 'the database cannot do job % by itself', coalesce(quote_literal(job), 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Run a worker: cognifold worker. The column in_sql of cognifold.job says which it can.';
    END CASE;
    PERFORM cognifold.leave_tenant(previous);
    RETURN report;
END
$$;
COMMENT ON FUNCTION cognifold.run_in_sql(text, text) IS
    'Does a job of those that need nothing outside the database, whether it is due or not, and returns its report. Raises CF010 for any other. Workers call it for what they have claimed.';
