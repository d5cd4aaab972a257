-- effective_role: the role the session acts as, also from inside the memory's own SECURITY DEFINER verbs.
CREATE OR REPLACE FUNCTION cognifold.effective_role() RETURNS text
LANGUAGE sql STABLE PARALLEL RESTRICTED
AS $$
    -- Within a SECURITY DEFINER function current_user is the owner; SET ROLE stays visible in the setting "role".
    SELECT CASE pg_catalog.current_setting('role')
               WHEN 'none' THEN session_user::text
               ELSE pg_catalog.current_setting('role')
           END
$$;
COMMENT ON FUNCTION cognifold.effective_role() IS
    'The role the session acts as: SET ROLE''s, else the login role. Tenant binding and the clock look at this one.';
