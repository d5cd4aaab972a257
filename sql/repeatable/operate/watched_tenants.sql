-- watched_tenants: whose work the role may look at: its own tenant; all of them for a monitor or a worker that is bound to none.
CREATE OR REPLACE FUNCTION cognifold.watched_tenants() RETURNS TABLE (tenant text)
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT a.tenant
    FROM cognifold.all_tenants() AS a
    CROSS JOIN (SELECT cognifold.current_tenant() AS tenant,
                       (pg_has_role(cognifold.effective_role(), 'cognifold_monitor', 'MEMBER')
                        OR pg_has_role(cognifold.effective_role(), 'cognifold_worker', 'MEMBER'))
                       AND NOT EXISTS (SELECT FROM cognifold.tenant_member AS m
                                       WHERE m.role_name IN (cognifold.effective_role(), session_user)) AS all_of_them) AS w
    WHERE w.all_of_them AND coalesce(a.tenant = w.tenant, true) OR a.tenant = w.tenant AND cognifold.tenant_permitted(a.tenant)
$$;
COMMENT ON FUNCTION cognifold.watched_tenants() IS
    'The tenants whose work the session''s role may look at: the one that is set; with none set, members of cognifold_monitor and cognifold_worker all of them. Internal.';
