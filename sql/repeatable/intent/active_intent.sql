-- active_intent: the status of an intent that must be open for what a verb is about to do, or a refusal.
CREATE OR REPLACE FUNCTION cognifold.active_intent(tenant text, verb text, intent_id uuid) RETURNS text
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    status text;
BEGIN
    SELECT cognifold.intent_status(s.status, s.wake_at, s.expires_at, cognifold.now()) INTO status
    FROM cognifold.intent_state AS s WHERE s.tenant_id = tenant AND s.node_id = active_intent.intent_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'node % is no intent of tenant "%"', coalesce(active_intent.intent_id::text, 'NULL'), tenant
            USING ERRCODE = 'CF021', HINT = 'SELECT id, title, status FROM cognifold.intent lists them.';
    ELSIF status NOT IN ('pending', 'scheduled', 'deferred') THEN
        RAISE EXCEPTION '%: intent % is %', verb, active_intent.intent_id, status
            USING ERRCODE = 'CF037', HINT = 'There is nothing left to do about it. answer_intent(..., ''reopen'') opens it again.';
    END IF;
    RETURN status;
END
$$;
COMMENT ON FUNCTION cognifold.active_intent(text, text, uuid) IS 'pending, scheduled or deferred; CF021 for what is no intent, CF037 for one that is closed or expired. Internal.';
