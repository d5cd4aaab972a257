-- tenant_permitted: whether the session's role may use a tenant at all, whatever it has SET.
CREATE OR REPLACE FUNCTION cognifold.tenant_permitted(tenant text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL RESTRICTED SECURITY DEFINER
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan  -- every verb asks: planned once a session
AS $$
    SELECT CASE
        WHEN EXISTS (SELECT FROM cognifold.tenant_member AS m WHERE m.role_name = cognifold.effective_role())
        THEN EXISTS (SELECT FROM cognifold.tenant_member AS m
                     WHERE m.role_name = cognifold.effective_role() AND m.tenant_id = tenant_permitted.tenant)
        ELSE pg_has_role(cognifold.effective_role(), 'cognifold_multitenant', 'MEMBER')
    END
    -- A bound login role stays bound when it becomes a role that is not, by SET ROLE.
    AND (NOT EXISTS (SELECT FROM cognifold.tenant_member AS m WHERE m.role_name = session_user)
         OR EXISTS (SELECT FROM cognifold.tenant_member AS m WHERE m.role_name = session_user AND m.tenant_id = tenant_permitted.tenant))
$$;
COMMENT ON FUNCTION cognifold.tenant_permitted(text) IS
    'Whether the session''s role may use the tenant: a role bound in tenant_member its own tenants only, also after SET ROLE; any other needs membership in cognifold_multitenant.';
