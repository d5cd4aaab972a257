-- bind_role: ties a role to a tenant, so that it reaches this tenant (and others it is bound to) and no other.
CREATE OR REPLACE FUNCTION cognifold.bind_role(role_name text, tenant text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY INVOKER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles AS r WHERE r.rolname = bind_role.role_name) THEN
        RAISE EXCEPTION 'role "%" does not exist', role_name
            USING ERRCODE = 'CF010', HINT = 'CREATE ROLE first; the name is compared as written.';
    END IF;
    IF NOT EXISTS (SELECT FROM cognifold.all_tenants() AS t WHERE t.tenant = bind_role.tenant) THEN
        RAISE EXCEPTION 'tenant "%" does not exist', tenant
            USING ERRCODE = 'CF002', HINT = format('Make it with SELECT cognifold.create_tenant(%L).', tenant);
    END IF;
    INSERT INTO cognifold.tenant_member (role_name, tenant_id) VALUES (bind_role.role_name, bind_role.tenant)
    ON CONFLICT DO NOTHING;
END
$$;
COMMENT ON FUNCTION cognifold.bind_role(text, text) IS
    'Binds a role to a tenant: from then on it reaches only the tenants it is bound to, whatever it SETs. For administrators (writes tenant_member).';
