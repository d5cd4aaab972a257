-- set_webhook: a consumer's deliveries are posted to an address, by `cognifold deliver`.
CREATE OR REPLACE FUNCTION cognifold.set_webhook(
    consumer text, url text, secret text DEFAULT NULL, headers jsonb DEFAULT '{}', tenant text DEFAULT cognifold.required_tenant()
) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    known    cognifold.outbox_consumer := cognifold.known_consumer(tenant, consumer);
    odd      text;
BEGIN
    IF url IS NULL THEN
        DELETE FROM cognifold.webhook AS w WHERE w.tenant_id = tenant AND w.consumer = known.name;
        PERFORM cognifold.leave_tenant(previous);
        RETURN;
    END IF;
    IF url !~ '^https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]{2,}\])(:0*([1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5]))?([/?][^#]*)?$' OR url !~ '^[\x21-\x7e]+$' OR octet_length(url) > 2000 THEN
        RAISE EXCEPTION 'set_webhook: % is no address to post to', quote_literal(left(url, 100))
            USING ERRCODE = 'CF010', HINT = 'Write https://host/path or https://host:port/path (a name of other letters as xn--...), without a user, password or fragment; a key goes into headers.';
    END IF;
    IF secret !~ '^(env:COGNIFOLD_WEBHOOK_[A-Z0-9_]{1,100}|file:[A-Za-z0-9][A-Za-z0-9._-]{0,100})$' THEN
        RAISE EXCEPTION 'set_webhook: secret does not say where the secret is'
            USING ERRCODE = 'CF010',
                  HINT = 'Write env:COGNIFOLD_WEBHOOK_NAME for a variable of the worker''s environment, or file:NAME for a file in its folder of secrets. The secret itself is not kept here.';
    END IF;
    IF jsonb_typeof(coalesce(headers, '{}')) <> 'object' THEN
        odd := headers::text;
    ELSE
        SELECT h.key INTO odd FROM jsonb_each(coalesce(headers, '{}')) AS h
        WHERE jsonb_typeof(h.value) <> 'string' OR h.key !~ '^[A-Za-z0-9!#$%&''*+.^_`|~-]{1,100}$' OR h.value #>> '{}' !~ '^[\x20-\x7e]*$' OR octet_length(h.value #>> '{}') > 2000
           OR lower(h.key) IN ('host', 'content-type', 'content-encoding', 'content-length', 'transfer-encoding', 'connection', 'expect', 'upgrade',
                               'webhook-id', 'webhook-timestamp', 'webhook-signature');
    END IF;
    IF odd IS NOT NULL THEN
        RAISE EXCEPTION 'set_webhook: % cannot be a header of ours', quote_literal(left(odd, 100))
            USING ERRCODE = 'CF010', HINT = 'Give {"Name": "value", ...}, plain ASCII on one line; what is posted and signed sets its own headers.';
    END IF;
    INSERT INTO cognifold.webhook AS w (tenant_id, consumer, url, secret, headers) VALUES (tenant, known.name, url, secret, coalesce(headers, '{}'))
    ON CONFLICT ON CONSTRAINT webhook_pkey DO UPDATE SET url = excluded.url, secret = excluded.secret, headers = excluded.headers;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.set_webhook(text, text, text, jsonb, text) IS
    'Has cognifold deliver post a consumer''s deliveries to url, with these further headers, signed by the secret that secret says where to find (env:COGNIFOLD_WEBHOOK_NAME or file:NAME, at the worker; NULL: unsigned). url NULL: no more. For administrators: who says where a worker posts to speaks from within its network, and with its secrets. Raises CF010 for an address, a secret or a header that will not do (a name of other letters than ASCII is written as xn--...), CF031 for a consumer that there is not.';
