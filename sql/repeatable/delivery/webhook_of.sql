-- webhook_of: where a consumer's deliveries are posted, for the worker that posts them.
CREATE OR REPLACE FUNCTION cognifold.webhook_of(
    consumer text, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (url text, secret text, headers jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(tenant);
BEGIN
    RETURN QUERY
    SELECT w.url, w.secret, w.headers FROM cognifold.webhook AS w
    WHERE w.tenant_id = webhook_of.tenant AND w.consumer = webhook_of.consumer;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.webhook_of(text, text) IS
    'The address, the secret''s place and the headers of a consumer''s webhook; no row if it has none. For cognifold_worker alone.';
