-- all_tenants: the names of all tenants, for verbs that go from one to the next. Like tenants_with_work it belongs to
-- cognifold_dispatch, whose policy shows it the names and nothing else.
GRANT USAGE, CREATE ON SCHEMA cognifold TO cognifold_dispatch;
SET LOCAL ROLE cognifold_dispatch;
CREATE OR REPLACE FUNCTION cognifold.all_tenants() RETURNS TABLE (tenant text)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
    SELECT t.tenant_id FROM cognifold.tenant AS t ORDER BY t.tenant_id
$$;
COMMENT ON FUNCTION cognifold.all_tenants() IS 'The names of all tenants. Internal: only cognifold_owner may call it.';
REVOKE ALL ON FUNCTION cognifold.all_tenants() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION cognifold.all_tenants() TO cognifold_owner;
SET LOCAL ROLE cognifold_owner;
REVOKE CREATE ON SCHEMA cognifold FROM cognifold_dispatch;
