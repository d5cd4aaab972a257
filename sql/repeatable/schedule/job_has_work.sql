-- job_has_work: whether a job would find anything to do, at the price of a few index pages.
CREATE OR REPLACE FUNCTION cognifold.job_has_work(tenant text, job text, moment timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    CASE job
    WHEN 'consolidate' THEN
        RETURN cognifold.has_to_consolidate(tenant, moment);
    WHEN 'intents' THEN
        RETURN EXISTS (SELECT FROM cognifold.intent_due AS d WHERE d.tenant_id = tenant AND d.due_at <= moment);
    WHEN 'alarms' THEN
        RETURN EXISTS (SELECT FROM cognifold.intent_alarm AS a WHERE a.tenant_id = tenant AND a.due_at <= moment);
    WHEN 'embed' THEN
        RETURN EXISTS (
            SELECT FROM cognifold.tenant_model(tenant) AS own
            JOIN cognifold.work AS w ON w.tenant_id = tenant AND w.task = 'fold' AND w.state <> 'dead' AND NOT w.vectorless
            WHERE own.provider <> 'lexicon' AND NOT EXISTS (
                SELECT FROM cognifold.embedding AS e
                WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = w.node_id));
    WHEN 'index' THEN
        RETURN EXISTS (SELECT FROM cognifold.vector_tail AS t WHERE t.tenant_id = tenant)
            OR EXISTS (SELECT FROM cognifold.vector_count AS c
                       WHERE c.tenant_id = tenant AND NOT c.indexed AND c.events + c.concepts > cognifold.setting('vector.exact', tenant));
    WHEN 'reembed' THEN
        RETURN EXISTS (SELECT FROM cognifold.reembedding AS r WHERE r.tenant_id = tenant);
    WHEN 'graph' THEN
        RETURN cognifold.graph_has_lag(tenant);
    WHEN 'retention' THEN
        RETURN EXISTS (SELECT FROM cognifold.retention AS r WHERE r.tenant_id = tenant)
            OR EXISTS (SELECT FROM (SELECT a.read_at FROM cognifold.audit_read AS a WHERE a.tenant_id = tenant ORDER BY a.audit_id LIMIT 1) AS o
                       WHERE o.read_at < moment - make_interval(secs => 86400 * cognifold.setting('audit.keep', tenant)))
            OR EXISTS (SELECT FROM cognifold.consolidation_run AS c
                       WHERE c.tenant_id = tenant AND c.finished_at < (SELECT max(l.finished_at) FROM cognifold.consolidation_run AS l WHERE l.tenant_id = tenant)
                         AND c.finished_at < moment - make_interval(secs => 86400 * cognifold.setting('retention.keep', tenant)))
            OR EXISTS (SELECT FROM cognifold.job_run AS r
                       WHERE r.tenant_id = tenant AND r.finished_at < moment - make_interval(days => cognifold.setting('schedule.keep', tenant)::integer))
            OR EXISTS (SELECT FROM cognifold.outbox AS o
                       WHERE o.tenant_id = tenant AND o.recorded_at <= moment - make_interval(secs => 86400 * cognifold.setting('delivery.retention', tenant)));
    ELSE
        RETURN true;   -- it has to be tried
    END CASE;
END
$$;
COMMENT ON FUNCTION cognifold.job_has_work(text, text, timestamptz) IS
    'Whether a job would find anything to do for the tenant at that moment: a period without work is passed over without a trace. True of a job it does not know. Internal.';
