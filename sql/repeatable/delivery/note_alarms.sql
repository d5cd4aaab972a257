-- note_alarms: has the outbox say which deferred intents have woken and which have expired since somebody last asked.
CREATE OR REPLACE FUNCTION cognifold.note_alarms(tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    clock    timestamptz := cognifold.now();
    noted    bigint := 0;
BEGIN
    IF EXISTS (SELECT FROM cognifold.intent_alarm AS a WHERE a.tenant_id = tenant AND a.due_at <= clock) THEN
        PERFORM cognifold.take_turn(tenant);
        noted := cognifold.write_alarms(tenant, clock);
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN noted;
END
$$;
COMMENT ON FUNCTION cognifold.note_alarms(text) IS
    'Notes in the outbox the intents that have woken or expired by the memory''s clock, each once whoever calls and however many call at once, with the time it was to be as their moment; returns how many. take_deliveries does so by itself where nobody is changing the graph just then.';
