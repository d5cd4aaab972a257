-- retry: puts folds that failed, were turned away, are dead or were undone back into the queue.
CREATE OR REPLACE FUNCTION cognifold.retry(event_id uuid DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    queued   bigint;
    restored bigint := 0;
BEGIN
    UPDATE cognifold.work AS w
    SET state = 'ready', attempts = 0, not_before = '-infinity', error_state = NULL, error = NULL
    WHERE w.tenant_id = tenant AND w.task = 'fold' AND w.state <> 'ready' AND (event_id IS NULL OR w.node_id = event_id);
    GET DIAGNOSTICS queued = ROW_COUNT;
    IF event_id IS NOT NULL AND queued = 0 THEN
        -- The turn: nobody folds it, or undoes its fold, between the look and the insert.
        PERFORM cognifold.take_turn(tenant);
        INSERT INTO cognifold.work (tenant_id, task, node_id, occurred_at, enqueued_at)
        SELECT n.tenant_id, 'fold', n.id, n.occurred_at, clock_timestamp()
        FROM cognifold.node AS n
        WHERE n.tenant_id = tenant AND n.kind = 'event' AND n.id = event_id
          AND NOT EXISTS (SELECT FROM cognifold.folded_event AS f WHERE f.tenant_id = tenant AND f.event_id = n.id)
        ON CONFLICT ON CONSTRAINT work_pkey DO NOTHING;
        GET DIAGNOSTICS restored = ROW_COUNT;
        IF restored = 0 AND NOT EXISTS (
            SELECT FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.kind = 'event' AND n.id = event_id)
        THEN
            RAISE EXCEPTION 'event % is not known to tenant "%"', event_id, tenant
                USING ERRCODE = 'CF021', HINT = 'SELECT id, fold_state, fold_error FROM cognifold.event lists the events.';
        END IF;
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN queued + restored;
END
$$;
COMMENT ON FUNCTION cognifold.retry(uuid, text) IS
    'Queues folds again that are failed, rate_limited or dead, all of the tenant''s or one event''s, with all their attempts before them; and the one event whose fold was undone. Returns how many. An event that waits, is being folded, or is folded is left alone.';
