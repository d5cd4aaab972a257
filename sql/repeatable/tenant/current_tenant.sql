-- current_tenant: the tenant the session has set, or NULL, so that a policy without one shows no row.
CREATE OR REPLACE FUNCTION cognifold.current_tenant() RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT NULLIF(pg_catalog.current_setting('cognifold.tenant', true), '') COLLATE "C"
$$;
COMMENT ON FUNCTION cognifold.current_tenant() IS
    'The tenant in the setting cognifold.tenant, NULL when unset. Policies compare with it; it is inlined, so the planner sees the value.';
