-- disable_consumer, enable_consumer: a consumer rests, and misses nothing meanwhile.
CREATE OR REPLACE FUNCTION cognifold.disable_consumer(
    name text, reason text DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    known    cognifold.outbox_consumer := cognifold.known_consumer(tenant, name);
    changed  boolean;
BEGIN
    UPDATE cognifold.outbox_consumer AS c SET disabled_at = clock_timestamp(), disabled_reason = left(reason, 500)
    WHERE c.tenant_id = tenant AND c.name = known.name AND c.disabled_at IS NULL;
    changed := FOUND;
    PERFORM cognifold.leave_tenant(previous);
    RETURN changed;
END
$$;
COMMENT ON FUNCTION cognifold.disable_consumer(text, text, text) IS
    'Hands out nothing to a consumer any more (take_deliveries raises CF032) until enable_consumer; what happens meanwhile waits for it. False if it was disabled already; CF031 for a name that there is not.';

CREATE OR REPLACE FUNCTION cognifold.enable_consumer(name text, tenant text DEFAULT cognifold.required_tenant()) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    known    cognifold.outbox_consumer := cognifold.known_consumer(tenant, name);
    changed  boolean;
BEGIN
    UPDATE cognifold.outbox_consumer AS c SET disabled_at = NULL, disabled_reason = NULL
    WHERE c.tenant_id = tenant AND c.name = known.name AND c.disabled_at IS NOT NULL;
    changed := FOUND;
    PERFORM cognifold.leave_tenant(previous);
    RETURN changed;
END
$$;
COMMENT ON FUNCTION cognifold.enable_consumer(text, text) IS
    'Lets a disabled consumer go on where it stood; false if it was not disabled, CF031 for a name that there is not.';
