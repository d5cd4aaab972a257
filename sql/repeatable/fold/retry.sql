-- retry: puts failed and dead folds back into the queue.
CREATE OR REPLACE FUNCTION cognifold.retry(event_id uuid DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    queued   bigint;
BEGIN
    UPDATE cognifold.work AS w
    SET state = 'ready', attempts = 0, not_before = '-infinity', error_state = NULL, error = NULL
    WHERE w.tenant_id = tenant AND w.task = 'fold' AND w.state IN ('failed', 'dead') AND (event_id IS NULL OR w.node_id = event_id);
    GET DIAGNOSTICS queued = ROW_COUNT;
    IF event_id IS NOT NULL AND queued = 0 AND NOT EXISTS (
        SELECT FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.kind = 'event' AND n.id = event_id)
    THEN
        RAISE EXCEPTION 'event % is not known to tenant "%"', event_id, tenant
            USING ERRCODE = 'CF021', HINT = 'SELECT id, fold_state, fold_error FROM cognifold.event lists the events.';
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN queued;
END
$$;
COMMENT ON FUNCTION cognifold.retry(uuid, text) IS 'Queues failed and dead folds again, all of the tenant''s or one event''s; returns how many.';
