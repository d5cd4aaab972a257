-- remove_retention: takes a rule of retention away; what it archived or forgot stays so.
CREATE OR REPLACE FUNCTION cognifold.remove_retention(name text, tenant text DEFAULT cognifold.required_tenant()) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
BEGIN
    DELETE FROM cognifold.retention AS r WHERE r.tenant_id = tenant AND r.name = remove_retention.name;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'tenant "%" has no rule of retention %', tenant, coalesce(quote_literal(name), 'NULL')
            USING ERRCODE = 'CF049', HINT = 'SELECT name FROM cognifold.retention lists its rules.';
    END IF;
    UPDATE cognifold.retention_run AS r SET by_rule = r.by_rule - remove_retention.name WHERE r.tenant_id = tenant AND r.by_rule ? remove_retention.name;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.remove_retention(text, text) IS
    'Takes a rule of retention away, and its name out of the record of passes (retention_run). What it has archived or forgotten stays so. Raises CF049 where there is none of that name.';
