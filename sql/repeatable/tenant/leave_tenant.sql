-- leave_tenant: every verb's last step. Sets the tenant back to what it was, so that a scoped call leaves no trace.
CREATE OR REPLACE FUNCTION cognifold.leave_tenant(previous text) RETURNS void
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path FROM CURRENT
AS $$
BEGIN
    IF previous IS NULL THEN
        PERFORM set_config('cognifold.tenant', '', true);
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.leave_tenant(text) IS 'Undoes the scoping of enter_tenant. Internal.';
