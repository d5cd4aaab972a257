-- grantable_profiles: what a role of an application can be given, by the name that grant_to takes.
CREATE OR REPLACE FUNCTION cognifold.grantable_profiles() RETURNS TABLE (profile text, house_role text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    SELECT p.profile, 'cognifold_' || p.profile
    FROM unnest(ARRAY['reader', 'writer', 'governor', 'worker', 'monitor', 'auditor', 'multitenant', 'clock', 'partial']) AS p (profile)
$$;
COMMENT ON FUNCTION cognifold.grantable_profiles() IS 'The profiles that grant_to knows, and the role of the house that each is membership in. Internal.';
