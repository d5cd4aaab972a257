-- grant_to: gives a role a profile, and binds it to a tenant where one is named.
CREATE OR REPLACE FUNCTION cognifold.grant_to(role_name text, profile text, tenant text DEFAULT NULL) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY INVOKER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    house_role text := cognifold.checked_profile(role_name, profile);
    changed    boolean := false;
BEGIN
    IF NOT EXISTS (SELECT FROM pg_auth_members AS m
                   WHERE m.roleid = house_role::regrole AND m.member = format('%I', role_name)::regrole AND m.inherit_option) THEN
        BEGIN
            EXECUTE format('GRANT %I TO %I WITH INHERIT TRUE', house_role, role_name);
        EXCEPTION WHEN insufficient_privilege OR invalid_grant_operation THEN
            RAISE EXCEPTION 'role "%" may not grant %: %', current_user, house_role, SQLERRM
                USING ERRCODE = 'CF039',
                      HINT = format('Let a superuser, or the role that installed the memory, run: GRANT %I TO %I WITH ADMIN OPTION. Then try again.', house_role, current_user);
        END;
        changed := true;
    END IF;
    IF tenant IS NOT NULL AND NOT EXISTS (SELECT FROM cognifold.tenant_member AS m WHERE m.role_name = grant_to.role_name AND m.tenant_id = tenant) THEN
        PERFORM cognifold.bind_role(role_name, tenant);
        changed := true;
    END IF;
    RETURN changed;
END
$$;
COMMENT ON FUNCTION cognifold.grant_to(text, text, text) IS
    'Gives a role a profile: reader (recalls and reads views), writer (also remembers, folds, applies plans), governor (reads, forgets, and sets rules of retention, also such as forget), worker (a background process: a writer for every tenant), monitor (counts and states, no content), auditor (who did what), multitenant (chooses its tenant by setting cognifold.tenant), clock (may move the memory''s clock), partial (views show it the part that its clearance reaches; set_clearance gives it). With a tenant it is bound to that one as well (bind_role). Returns whether anything changed. For administrators: a superuser, or a role with ADMIN OPTION on the profile''s role. Memberships belong to the whole server, tenants and bindings to this database. Raises CF039 for an unknown role or profile, and with the GRANT that is missing where the caller may not; CF002 for an unknown tenant.';
