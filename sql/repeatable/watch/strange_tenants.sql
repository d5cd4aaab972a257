-- strange_tenants: which of these are no tenants. Asked by the triggers of watches whose rows say whose they are.
GRANT USAGE, CREATE ON SCHEMA cognifold_watch TO cognifold_dispatch;
GRANT USAGE ON SCHEMA cognifold TO cognifold_dispatch;
SET LOCAL ROLE cognifold_dispatch;
CREATE OR REPLACE FUNCTION cognifold_watch.strange_tenants(names text[]) RETURNS text[]
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
    SELECT pg_catalog.array_agg(n.name)
    FROM unnest(names) AS n (name)
    WHERE NOT EXISTS (SELECT FROM cognifold.tenant AS t WHERE t.tenant_id = n.name)
$$;
COMMENT ON FUNCTION cognifold_watch.strange_tenants(text[]) IS
    'Those of the names that no tenant has; NULL if there are none. Internal: owners of watched tables may call it while they have a watch.';
REVOKE ALL ON FUNCTION cognifold_watch.strange_tenants(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION cognifold_watch.strange_tenants(text[]) TO cognifold_owner WITH GRANT OPTION;
SET LOCAL ROLE cognifold_owner;
REVOKE CREATE ON SCHEMA cognifold_watch FROM cognifold_dispatch;
