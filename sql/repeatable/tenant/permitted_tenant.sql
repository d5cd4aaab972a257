-- permitted_tenant: the tenant that is set, if the session's role may use it; else NULL.
CREATE OR REPLACE FUNCTION cognifold.permitted_tenant() RETURNS text
LANGUAGE sql STABLE PARALLEL RESTRICTED
SET search_path FROM CURRENT
AS $$
    SELECT CASE WHEN cognifold.tenant_permitted(t.tenant) THEN t.tenant END COLLATE "C"
    FROM (SELECT cognifold.current_tenant() AS tenant OFFSET 0) AS t
$$;
COMMENT ON FUNCTION cognifold.permitted_tenant() IS
    'The tenant in the setting cognifold.tenant where the session''s role may use it, else NULL. Readers'' policies fix it once a statement.';
