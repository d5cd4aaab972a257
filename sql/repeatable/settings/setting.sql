-- setting: one constant as it holds for a tenant: its own value, else the default.
CREATE OR REPLACE FUNCTION cognifold.setting(name text, tenant text DEFAULT cognifold.required_tenant()) RETURNS double precision
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT coalesce(
        (SELECT s.value FROM cognifold.setting AS s WHERE s.tenant_id = setting.tenant AND s.name = setting.name),
        (SELECT d.value FROM cognifold.setting_default AS d WHERE d.name = setting.name))
$$;
COMMENT ON FUNCTION cognifold.setting(text, text) IS 'The value of a constant for a tenant; NULL if there is no such constant. setting_default documents them.';
