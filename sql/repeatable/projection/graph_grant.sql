-- graph_grant, graph_revoke: let a role read one tenant's graph in Apache AGE with Cypher of its own.
CREATE OR REPLACE FUNCTION cognifold.graph_grant(role_name text, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY INVOKER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    present text;
    open    regprocedure;
    cleared text;
BEGIN
    PERFORM cognifold.age_required();
    IF NOT EXISTS (SELECT FROM pg_roles AS r WHERE r.rolname = role_name) THEN
        RAISE EXCEPTION 'role "%" does not exist', role_name
            USING ERRCODE = 'CF010', HINT = 'CREATE ROLE first; the name is compared as written.';
    END IF;
    cleared := (SELECT c.level FROM cognifold.clearance AS c WHERE c.tenant_id = tenant AND c.role_name IN (graph_grant.role_name, 'public')
                ORDER BY c.role_name = 'public' LIMIT 1);
    IF cleared <> 'private' THEN
        RAISE EXCEPTION 'role "%" is to see only what is % of tenant "%", and a graph shows all of it',
            role_name, CASE cleared WHEN 'public' THEN 'public' ELSE 'shared or public' END, tenant
            USING ERRCODE = 'CF034', HINT = format('Nothing was granted. SELECT cognifold.set_clearance(%L, ''private'') lets it see all.', role_name);
    END IF;
    -- These read any graph of the database, whatever the role may do there. Later versions bring more of the kind.
    present := (SELECT e.extversion FROM pg_extension AS e WHERE e.extname = 'age');
    IF present <> ALL (ARRAY['1.5.0', '1.6.0', '1.7.0']) THEN
        RAISE EXCEPTION 'graph_grant: nobody has looked at Apache AGE % for functions that read past privileges', present
            USING ERRCODE = 'CF053', HINT = 'Use the verbs graph_paths, graph_neighbourhood and graph_pattern, or a database with no other graph.';
    END IF;
    FOR open IN
        SELECT p.oid::regprocedure FROM pg_proc AS p
        WHERE p.pronamespace = 'ag_catalog'::regnamespace AND p.proname IN ('age_vle', 'age_vertex_stats', 'age_graph_stats')
          AND EXISTS (SELECT FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS g WHERE g.grantee = 0)
    LOOP
        EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', open);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO cognifold_owner', open);
    END LOOP;
    PERFORM cognifold.age_share(role_name, tenant);
END
$$;
COMMENT ON FUNCTION cognifold.graph_grant(text, text) IS
    'Lets a role read a tenant''s graph with Cypher of its own: SELECT on its labels, USAGE on ag_catalog, nothing written. Takes age_vle, age_vertex_stats and age_graph_stats from PUBLIC, for they read every graph of the database: so the role has no paths of variable length. A legal query can still end the server and others run for hours: opt in, and set a statement_timeout for the role. For administrators who own the extension. Raises CF010 for a role that is not there, CF034 for one whose clearance in the tenant is not private (a graph knows no clearance), CF053.';

CREATE OR REPLACE FUNCTION cognifold.graph_revoke(role_name text, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY INVOKER
SET search_path FROM CURRENT
AS $$
BEGIN
    PERFORM cognifold.age_required();
    PERFORM cognifold.age_unshare(role_name, tenant);
END
$$;
COMMENT ON FUNCTION cognifold.graph_revoke(text, text) IS
    'Takes back what graph_grant gave for the tenant''s graph, and USAGE on ag_catalog where the role may read no other. For administrators.';
