-- write_alarms: notes which intents have woken or expired by a moment and were not noted yet, each at the time it was to be.
CREATE OR REPLACE FUNCTION cognifold.write_alarms(tenant text, clock timestamptz, intent_id uuid DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    due jsonb;
BEGIN
    -- Who takes the row away notes it: of two at once the second finds none.
    WITH rung AS (
        DELETE FROM cognifold.intent_alarm AS a
        WHERE a.tenant_id = tenant AND a.due_at <= clock AND (intent_id IS NULL OR a.node_id = intent_id)
        RETURNING a.node_id, a.kind, a.due_at
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'node_id', r.node_id, 'kind', r.kind, 'status', CASE r.kind WHEN 'woken' THEN 'pending' ELSE 'expired' END,
               'from_status', CASE WHEN r.kind = 'woken' THEN 'deferred' ELSE cognifold.intent_status(s.status, s.wake_at, NULL, r.due_at) END,
               'category', s.category, 'moment', r.due_at, 'deadline', s.deadline, 'expires_at', s.expires_at)
               ORDER BY r.due_at, r.node_id, r.kind DESC), '[]')
    INTO due
    FROM rung AS r
    JOIN cognifold.intent_state AS s ON s.tenant_id = tenant AND s.node_id = r.node_id;
    PERFORM cognifold.write_outbox(tenant, due);
    RETURN jsonb_array_length(due);
END
$$;
COMMENT ON FUNCTION cognifold.write_alarms(text, timestamptz, uuid) IS
    'Notes what intent_alarm says is due at a moment, of one intent or all, and takes those rows away; how many. Under the tenant''s turn. Internal.';
