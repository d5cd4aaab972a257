-- known_consumer: a consumer by its name, or an error that says what there is.
CREATE OR REPLACE FUNCTION cognifold.known_consumer(tenant text, consumer text) RETURNS cognifold.outbox_consumer
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    found_one cognifold.outbox_consumer;
BEGIN
    SELECT c.* INTO found_one FROM cognifold.outbox_consumer AS c WHERE c.tenant_id = tenant AND c.name = consumer;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'tenant "%" has no consumer %', tenant, coalesce(quote_literal(consumer), 'NULL')
            USING ERRCODE = 'CF031', HINT = 'create_consumer makes one; SELECT consumer FROM cognifold.delivery_lag lists them.';
    END IF;
    RETURN found_one;
END
$$;
COMMENT ON FUNCTION cognifold.known_consumer(text, text) IS 'The consumer of that name; CF031 where there is none. Internal.';
