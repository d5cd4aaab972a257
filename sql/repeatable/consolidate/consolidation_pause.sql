-- consolidation_pause: how long a pass in steps leaves the graph to the folds that wait for it, before its next step.
--
-- Whoever waits for the turn gets it once a cycle, as the pass does, and a step is many folds long: without a pause the pass has
-- the graph for as long as it likes and the folds for what is left. The pause follows from what the last step took, and so never
-- keeps a pass from ending: that takes at most 1 + consolidate.courtesy times as long, however much is being stored.
CREATE OR REPLACE FUNCTION cognifold.consolidation_pause(run_id uuid, tenant text DEFAULT cognifold.required_tenant()) RETURNS double precision
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous  text := cognifold.enter_tenant(tenant);
    own       cognifold.embedding_model := cognifold.tenant_model(tenant);
    clock     timestamptz := clock_timestamp();
    pause     double precision;   -- NULL: the pass does not run
BEGIN
    SELECT least(cognifold.setting('consolidate.courtesy', tenant) * extract(epoch FROM r.held),
                 cognifold.setting('consolidate.lease', tenant) / 2,   -- else another would take it for dead
                 extract(epoch FROM r.started_at + r.time_budget - r.updated_at))
           - extract(epoch FROM clock - r.updated_at)
    INTO pause
    FROM cognifold.consolidation_run AS r
    WHERE r.tenant_id = tenant AND r.run_id = run_id AND r.state = 'running';
    IF pause > 0 AND NOT EXISTS (
        SELECT
        FROM (SELECT w.node_id, w.vectorless FROM cognifold.work AS w
              WHERE w.tenant_id = tenant AND w.task = 'fold' AND w.state <> 'dead' AND w.not_before <= clock
                AND (w.lease_until IS NULL OR w.lease_until <= clock)
              ORDER BY w.occurred_at, w.node_id
              LIMIT 100) AS w   -- a queue that waits for vectors is not read through
        WHERE own.provider = 'lexicon' OR w.vectorless OR EXISTS (
            SELECT FROM cognifold.embedding AS e
            WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = w.node_id)
    ) THEN
        pause := 0;
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN greatest(least(coalesce(pause, 0), 0.1), 0);   -- no longer, since the queue may be empty by then
END
$$;
COMMENT ON FUNCTION cognifold.consolidation_pause(uuid, text) IS
    'Seconds, at most 0.1, for which whoever makes the steps of a pass (consolidate_step) leaves the graph to folds before asking again; 0: the next step may be made. Above 0 while events may be folded and less than consolidate.courtesy times what the last step took (consolidation_run.held), half of consolidate.lease, and what is left of the time_budget has passed since that step. Sleep outside a transaction. consolidate_all and the Python client ask it.';
