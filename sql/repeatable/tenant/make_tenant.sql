-- make_tenant: writes a new tenant with its decay clocks and statistics; one that is there is left alone.
CREATE OR REPLACE FUNCTION cognifold.make_tenant(
    tenant text, display_name text, time_zone text, model_id smallint
) RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO cognifold.tenant (tenant_id, display_name, time_zone, model_id, created_at)
    VALUES (make_tenant.tenant, make_tenant.display_name, make_tenant.time_zone, make_tenant.model_id, now())
    ON CONFLICT (tenant_id) DO NOTHING;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO cognifold.decay_clock (tenant_id, rate, valid_from, lambda, cumulative)
    SELECT make_tenant.tenant, split_part(d.name, '.', 2), '-infinity', d.value, 0
    FROM cognifold.setting_default AS d
    WHERE d.name IN ('decay.episodic', 'decay.semantic');
    INSERT INTO cognifold.graph_turn (tenant_id) VALUES (make_tenant.tenant);
    INSERT INTO cognifold.lexical_statistics (tenant_id) VALUES (make_tenant.tenant);
    RETURN true;
END
$$;
COMMENT ON FUNCTION cognifold.make_tenant(text, text, text, smallint) IS
    'Makes a tenant, which must be the one set; false if it was there. Internal: create_tenant and health call it, and check who asks.';
