-- set_clearance: says how private a memory a role may see in a tenant.
CREATE OR REPLACE FUNCTION cognifold.set_clearance(role_name text, level text, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY INVOKER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    IF role_name IS NULL OR role_name <> 'public' AND NOT EXISTS (SELECT FROM pg_roles AS r WHERE r.rolname = role_name) THEN
        RAISE EXCEPTION 'role % does not exist', coalesce('"' || role_name || '"', 'NULL')
            USING ERRCODE = 'CF010', HINT = 'CREATE ROLE first; the name is compared as written. ''public'' stands for every role without a clearance of its own.';
    END IF;
    IF level NOT IN ('private', 'shared', 'public') THEN
        RAISE EXCEPTION 'clearance % is not one of private, shared, public', quote_literal(level)
            USING ERRCODE = 'CF010', HINT = 'private sees all, shared what is shared or public, public what is public; NULL takes the row away.';
    END IF;
    IF NOT EXISTS (SELECT FROM cognifold.all_tenants() AS t WHERE t.tenant = set_clearance.tenant) THEN
        RAISE EXCEPTION 'tenant "%" does not exist', tenant
            USING ERRCODE = 'CF002', HINT = format('Make it with SELECT cognifold.create_tenant(%L).', tenant);
    END IF;
    IF level IS NULL THEN
        DELETE FROM cognifold.clearance AS c WHERE c.tenant_id = tenant AND c.role_name = set_clearance.role_name;
    ELSE
        INSERT INTO cognifold.clearance AS c (tenant_id, role_name, level) VALUES (tenant, role_name, level)
        ON CONFLICT ON CONSTRAINT clearance_pkey DO UPDATE SET level = excluded.level;
        IF level <> 'private' AND role_name <> 'public' THEN
            PERFORM cognifold.grant_to(role_name, 'partial');
        END IF;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.set_clearance(text, text, text) IS
    'Says how private a memory a role may see in the tenant: private (all), shared or public; NULL takes the row away. The role ''public'' stands for every role without a row of its own, workers and the like included. A role that is to see less than all becomes a member of cognifold_partial, so that views show it its part; one that is not (by the row of ''public'', or by the setting cognifold.clearance) sees its part by the verbs, and nothing in views. For administrators (writes clearance, and grants). Raises CF010 for an unknown role or level, CF002 for an unknown tenant, CF039 as grant_to.';
