-- age_share, age_unshare: rights on one graph for a role that writes Cypher of its own.
CREATE OR REPLACE FUNCTION cognifold.age_share(role_name text, tenant text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    graph    name := cognifold.graph_of(tenant, false);
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA ag_catalog, %I TO %I', graph, role_name);
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO %I', graph, role_name);
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT SELECT ON TABLES TO %I', graph, role_name);   -- labels to come
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.age_share(text, text) IS 'Lets a role read the labels of the tenant''s graph. Internal: graph_grant calls it.';

CREATE OR REPLACE FUNCTION cognifold.age_unshare(role_name text, tenant text) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    graph    name := cognifold.graph_of(tenant, false);
BEGIN
    EXECUTE format('ALTER DEFAULT PRIVILEGES IN SCHEMA %I REVOKE SELECT ON TABLES FROM %I', graph, role_name);
    EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM %I', graph, role_name);
    EXECUTE format('REVOKE ALL ON SCHEMA %I FROM %I', graph, role_name);
    IF NOT EXISTS (SELECT FROM pg_namespace AS n
                   WHERE n.nspname ~ '^cognifold_graph_[0-9]+$' AND has_schema_privilege(role_name, n.oid, 'USAGE')) THEN
        EXECUTE format('REVOKE USAGE ON SCHEMA ag_catalog FROM %I', role_name);
    END IF;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.age_unshare(text, text) IS 'Takes back what age_share gave. Internal: graph_revoke calls it.';
