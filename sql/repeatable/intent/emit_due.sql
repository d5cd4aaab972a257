-- emit_due: emit_intents where there is anything to look at: what workers call after each turn of folding.
CREATE OR REPLACE FUNCTION cognifold.emit_due(tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    emitted  bigint := 0;
BEGIN
    IF EXISTS (SELECT FROM cognifold.intent_due AS d WHERE d.tenant_id = tenant AND d.due_at <= cognifold.now()) THEN
        SELECT count(*) INTO emitted FROM cognifold.emit_intents(NULL, tenant);
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN emitted;
END
$$;
COMMENT ON FUNCTION cognifold.emit_due(text) IS 'As emit_intents, without taking the tenant''s turn where nothing is due; how many intents were made. For cognifold_worker.';
