-- may_see_watch: whether the session's role may see a watch and end it.
CREATE OR REPLACE FUNCTION cognifold.may_see_watch(owner text, created_by text) RETURNS boolean
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT created_by = cognifold.effective_role()
        OR pg_has_role(cognifold.effective_role(), 'cognifold_owner', 'MEMBER')
        OR coalesce((SELECT pg_has_role(cognifold.effective_role(), r.oid, 'MEMBER') FROM pg_roles AS r WHERE r.rolname = owner), false)
$$;
COMMENT ON FUNCTION cognifold.may_see_watch(text, text) IS
    'True for who made it, members of the table''s owner and administrators of the memory. Internal.';
