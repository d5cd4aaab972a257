-- revoke_from: takes a profile from a role; with a tenant, only its binding to that one.
CREATE OR REPLACE FUNCTION cognifold.revoke_from(role_name text, profile text, tenant text DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY INVOKER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    house_role text := cognifold.checked_profile(role_name, profile);
    holder     regrole := format('%I', role_name)::regrole;
    given      record;
    changed    boolean := false;
BEGIN
    IF tenant IS NOT NULL THEN
        -- Bound to none, a role that may choose its tenant could choose any.
        IF pg_has_role(holder, 'cognifold_multitenant', 'MEMBER')
           AND EXISTS (SELECT FROM cognifold.tenant_member AS m WHERE m.role_name = revoke_from.role_name AND m.tenant_id = tenant)
           AND NOT EXISTS (SELECT FROM cognifold.tenant_member AS m WHERE m.role_name = revoke_from.role_name AND m.tenant_id <> tenant) THEN
            RAISE EXCEPTION 'role "%" is bound to no tenant but "%", and without that could choose any', role_name, tenant
                USING ERRCODE = 'CF039', HINT = format('Take the profile multitenant from it first: SELECT cognifold.revoke_from(%L, ''multitenant'').', role_name);
        END IF;
        DELETE FROM cognifold.tenant_member AS m WHERE m.role_name = revoke_from.role_name AND m.tenant_id = tenant;
        RETURN FOUND;
    END IF;
    FOR given IN
        SELECT g.rolname AS grantor FROM pg_auth_members AS m JOIN pg_roles AS g ON g.oid = m.grantor
        WHERE m.roleid = house_role::regrole AND m.member = holder
    LOOP
        BEGIN
            EXECUTE format('REVOKE %I FROM %I GRANTED BY %I', house_role, role_name, given.grantor);
        EXCEPTION WHEN insufficient_privilege OR invalid_grant_operation THEN
            RAISE EXCEPTION 'role "%" may not take % from "%": %', current_user, house_role, role_name, SQLERRM
                USING ERRCODE = 'CF039', HINT = format('"%s" granted it: let that role, or a superuser, do it.', given.grantor);
        END;
        changed := true;
    END LOOP;
    RETURN changed;
END
$$;
COMMENT ON FUNCTION cognifold.revoke_from(text, text, text) IS
    'Takes a profile from a role, whoever granted it; with a tenant, takes only the binding to that tenant. Returns whether anything changed. A role that may choose its tenant keeps its last binding (CF039): without it, it could choose any. What it has by way of another role stays (the view grants says which). For administrators. Raises CF039 for an unknown role or profile, and with who granted it where the caller may not.';
