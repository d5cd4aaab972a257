-- grants: which role has which profile, for which tenant, and how private a memory it may see there.
CREATE OR REPLACE VIEW cognifold.grants WITH (security_invoker = true, security_barrier = true) AS
SELECT r.rolname::text AS role_name, r.rolcanlogin AS can_login, p.profile,
       CASE WHEN NOT EXISTS (SELECT FROM pg_auth_members AS m WHERE m.roleid = p.house_role::regrole AND m.member = r.oid)
            THEN (SELECT string_agg(v.rolname, ', ' ORDER BY v.rolname)
                  FROM pg_auth_members AS m JOIN pg_roles AS v ON v.oid = m.roleid
                  WHERE m.member = r.oid AND pg_has_role(v.oid, p.house_role, 'MEMBER')) END AS by_way_of,
       EXISTS (SELECT FROM pg_auth_members AS m WHERE m.roleid = p.house_role::regrole AND m.member = r.oid AND m.admin_option) AS may_grant,
       b.tenant_id, coalesce(c.level, o.level, CASE WHEN b.tenant_id IS NOT NULL THEN 'private' END) AS clearance
FROM pg_roles AS r
JOIN cognifold.grantable_profiles() AS p ON pg_has_role(r.oid, p.house_role, 'MEMBER')
LEFT JOIN cognifold.tenant_member AS b ON b.role_name = r.rolname
LEFT JOIN cognifold.clearance AS c ON c.role_name = r.rolname AND c.tenant_id = b.tenant_id
LEFT JOIN cognifold.clearance AS o ON o.role_name = 'public' AND o.tenant_id = b.tenant_id
WHERE NOT r.rolsuper AND r.rolname !~ '^(cognifold|pg)_';
COMMENT ON VIEW cognifold.grants IS 'Which role has which profile (grant_to), one row for each tenant it is bound to. For administrators. Superusers, who may do everything, are left out. What a role that is bound to no tenant may see of each is in the table clearance.';
COMMENT ON COLUMN cognifold.grants.by_way_of IS 'The roles it has the profile from, where it is no member itself; NULL where it is.';
COMMENT ON COLUMN cognifold.grants.may_grant IS 'Whether it may give the profile to others (ADMIN OPTION).';
COMMENT ON COLUMN cognifold.grants.tenant_id IS 'A tenant that the role is bound to; NULL: to none, and then it needs the profile multitenant to use any.';
COMMENT ON COLUMN cognifold.grants.clearance IS 'How private a memory it may see of that tenant: private (all), shared or public.';
