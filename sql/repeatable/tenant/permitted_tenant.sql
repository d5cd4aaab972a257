-- permitted_tenant: the tenant that is set, if the session's role may use and see all of it; else NULL.
CREATE OR REPLACE FUNCTION cognifold.permitted_tenant() RETURNS text
LANGUAGE sql STABLE PARALLEL RESTRICTED
SET search_path FROM CURRENT
AS $$
    SELECT CASE WHEN cognifold.tenant_permitted(t.tenant) AND cognifold.clearance(t.tenant) = 'private' THEN t.tenant END COLLATE "C"
    FROM (SELECT cognifold.current_tenant() AS tenant OFFSET 0) AS t
$$;
COMMENT ON FUNCTION cognifold.permitted_tenant() IS
    'The tenant in the setting cognifold.tenant where the session''s role may use it and its clearance is private, else NULL. Readers'' policies fix it once a statement; what others see is said by policies of their own.';
