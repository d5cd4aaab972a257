-- settings: all constants as they hold for a tenant, in one object, for verbs that need many.
CREATE OR REPLACE FUNCTION cognifold.settings(tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT pg_catalog.jsonb_object_agg(d.name, coalesce(s.value, d.value))
    FROM cognifold.setting_default AS d
    LEFT JOIN cognifold.setting AS s ON s.tenant_id = settings.tenant AND s.name = d.name
$$;
COMMENT ON FUNCTION cognifold.settings(text) IS 'Every constant and its value for a tenant, as {name: number}.';
