-- set_setting: overrides a constant for one tenant; NULL goes back to the default.
CREATE OR REPLACE FUNCTION cognifold.set_setting(
    name text, value double precision, tenant text DEFAULT cognifold.required_tenant()
) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    known    cognifold.setting_default;
BEGIN
    SELECT d.* INTO known FROM cognifold.setting_default AS d WHERE d.name = set_setting.name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no setting %', coalesce(quote_literal(name), 'NULL')
            USING ERRCODE = 'CF010', HINT = 'SELECT name, description FROM cognifold.setting_default lists them.';
    END IF;
    IF value IS NULL THEN
        DELETE FROM cognifold.setting AS s WHERE s.tenant_id = set_setting.tenant AND s.name = set_setting.name;
    ELSIF NOT (value BETWEEN known.minimum AND known.maximum) THEN
        RAISE EXCEPTION 'setting % = % is out of range', name, value
            USING ERRCODE = 'CF010', HINT = format('Give a value between %s and %s (%s).', known.minimum, known.maximum, known.unit);
    ELSE
        INSERT INTO cognifold.setting AS s (tenant_id, name, value)
        VALUES (set_setting.tenant, set_setting.name, set_setting.value)
        ON CONFLICT (tenant_id, name) DO UPDATE SET value = excluded.value;
    END IF;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.set_setting(text, double precision, text) IS
    'Overrides a constant of setting_default for the tenant, within its range; NULL restores the default.';
