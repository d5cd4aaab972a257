-- scope_tenant: checks the tenant a verb was given and scopes the call to it; returns what was set before, for leave_tenant.
-- Of a verb that shows nothing of what is private (remember), or sees itself to who may see what (recall): the others enter_tenant.
CREATE OR REPLACE FUNCTION cognifold.scope_tenant(tenant text) RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path FROM CURRENT
AS $$
DECLARE
    previous text := cognifold.current_tenant();
BEGIN
    IF tenant IS NULL OR tenant = '' THEN
        RAISE EXCEPTION 'no tenant was given'
            USING ERRCODE = 'CF001', HINT = 'Give the verb tenant => ''name'', or SET cognifold.tenant first.';
    END IF;
    IF previous <> tenant THEN
        RAISE EXCEPTION 'tenant "%" was given while "%" is set', tenant, previous
            USING ERRCODE = 'CF004', HINT = 'RESET cognifold.tenant, or leave the argument out.';
    END IF;
    IF NOT cognifold.tenant_permitted(tenant) THEN
        RAISE EXCEPTION 'role "%" may not use tenant "%"', cognifold.effective_role(), tenant
            USING ERRCODE = 'CF003',
                  HINT = 'Bind the role to the tenant with cognifold.bind_role(role, tenant), or GRANT cognifold_multitenant TO it.';
    END IF;
    IF previous IS NULL THEN
        PERFORM set_config('cognifold.tenant', tenant, true);
    END IF;
    IF NOT EXISTS (SELECT FROM cognifold.tenant AS t WHERE t.tenant_id = tenant) THEN
        RAISE EXCEPTION 'tenant "%" does not exist', tenant
            USING ERRCODE = 'CF002', HINT = format('Make it with SELECT cognifold.create_tenant(%L), or look for a spelling mistake.', tenant);
    END IF;
    RETURN previous;
END
$$;
COMMENT ON FUNCTION cognifold.scope_tenant(text) IS
    'Checks a verb''s tenant (CF001 none, CF002 unknown, CF003 not permitted, CF004 another is set) and scopes the call to it. Internal.';
