-- required_tenant: the tenant the session has set, or an error that says how to set one. The default of every verb.
CREATE OR REPLACE FUNCTION cognifold.required_tenant() RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
DECLARE
    tenant text := cognifold.current_tenant();
BEGIN
    IF tenant IS NULL THEN
        RAISE EXCEPTION 'no tenant is set'
            USING ERRCODE = 'CF001',
                  HINT = 'Say SET cognifold.tenant = ''name'' (or set_config(''cognifold.tenant'', ''name'', true) in a transaction), or give the verb tenant => ''name''.';
    END IF;
    RETURN tenant;
END
$$;
COMMENT ON FUNCTION cognifold.required_tenant() IS 'The tenant in the setting cognifold.tenant; raises CF001 with the remedy when none is set.';
