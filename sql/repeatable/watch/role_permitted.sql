-- role_permitted: whether a role that logged in as another may use a tenant; tenant_permitted for who is not here.
CREATE OR REPLACE FUNCTION cognifold.role_permitted(role_name text, logged_in_as text, tenant text) RETURNS boolean
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT EXISTS (SELECT FROM pg_roles AS r WHERE r.rolname = role_permitted.role_name)
       AND CASE
        WHEN EXISTS (SELECT FROM cognifold.tenant_member AS m WHERE m.role_name = role_permitted.role_name)
        THEN EXISTS (SELECT FROM cognifold.tenant_member AS m
                     WHERE m.role_name = role_permitted.role_name AND m.tenant_id = role_permitted.tenant)
        ELSE pg_has_role((SELECT r.oid FROM pg_roles AS r WHERE r.rolname = role_permitted.role_name), 'cognifold_multitenant', 'MEMBER')
       END
       AND (NOT EXISTS (SELECT FROM cognifold.tenant_member AS m WHERE m.role_name = logged_in_as)
            OR EXISTS (SELECT FROM cognifold.tenant_member AS m WHERE m.role_name = logged_in_as AND m.tenant_id = role_permitted.tenant))
$$;
COMMENT ON FUNCTION cognifold.role_permitted(text, text, text) IS
    'What tenant_permitted says of the session''s roles, of these: a watch goes on with the rights of who made it, as they are now. Internal.';
