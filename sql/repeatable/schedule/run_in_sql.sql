-- run_in_sql: a job that the database can do by itself, within a transaction of the caller.
CREATE OR REPLACE FUNCTION cognifold.run_in_sql(job text, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    report   jsonb;
    purged   jsonb;
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
    WHEN 'graph' THEN
        report := jsonb_build_object('changes', cognifold.graph_sync(5000, tenant));
    WHEN 'retention' THEN
        purged := cognifold.purge_records(tenant, cognifold.setting('retention.batch', tenant)::integer);
        report := purged || jsonb_build_object('outbox', cognifold.purge_outbox(NULL, tenant));
        IF EXISTS (SELECT FROM cognifold.retention AS r WHERE r.tenant_id = tenant) THEN
            report := report || (cognifold.apply_retention(NULL, NULL, tenant) - 'run_id');
            report := report || jsonb_build_object('more', (report ->> 'more')::boolean OR (purged ->> 'more')::boolean);
        END IF;
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
