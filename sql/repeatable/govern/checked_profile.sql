-- checked_profile: the role of the house that a profile is, for a role that is there and may be given it.
CREATE OR REPLACE FUNCTION cognifold.checked_profile(role_name text, profile text) RETURNS text
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    house_role text := (SELECT p.house_role FROM cognifold.grantable_profiles() AS p WHERE p.profile = checked_profile.profile);
BEGIN
    IF house_role IS NULL THEN
        RAISE EXCEPTION 'there is no profile %', coalesce(quote_literal(profile), 'NULL')
            USING ERRCODE = 'CF039', HINT = format('Use %s.', (SELECT string_agg(p.profile, ', ') FROM cognifold.grantable_profiles() AS p));
    ELSIF role_name IS NULL OR NOT EXISTS (SELECT FROM pg_roles AS r WHERE r.rolname = role_name) THEN
        RAISE EXCEPTION 'role % does not exist', coalesce('"' || role_name || '"', 'NULL')
            USING ERRCODE = 'CF039', HINT = 'CREATE ROLE first; the name is compared as written.';
    ELSIF role_name ~ '^cognifold_' THEN
        RAISE EXCEPTION 'role "%" is the memory''s own', role_name
            USING ERRCODE = 'CF039', HINT = 'Its own roles are as the install makes them; give the profile to a role of the application.';
    END IF;
    RETURN house_role;
END
$$;
COMMENT ON FUNCTION cognifold.checked_profile(text, text) IS
    'The role that a profile is membership in; CF039 for a profile or role that there is not, and for the memory''s own roles. Internal: for grant_to and revoke_from.';
