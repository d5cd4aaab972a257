-- drop_consumer: nobody is told any more under this name.
CREATE OR REPLACE FUNCTION cognifold.drop_consumer(name text, tenant text DEFAULT cognifold.required_tenant()) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    dropped  boolean;
BEGIN
    DELETE FROM cognifold.outbox_consumer AS c WHERE c.tenant_id = tenant AND c.name = drop_consumer.name;
    dropped := FOUND;
    PERFORM cognifold.leave_tenant(previous);
    RETURN dropped;
END
$$;
COMMENT ON FUNCTION cognifold.drop_consumer(text, text) IS
    'Ends a consumer, with its cursor, its deliveries, dead letters among them, and its webhook; false if there was none. The outbox stays for the others.';
