-- clearance: how private a memory the caller may see: the least of what its roles are given and what the session asks for.
CREATE OR REPLACE FUNCTION cognifold.clearance(tenant text DEFAULT cognifold.required_tenant()) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL RESTRICTED
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    levels CONSTANT text[] := ARRAY['public', 'shared', 'private'];
    wish   text := NULLIF(current_setting('cognifold.clearance', true), '');
    given  integer;
BEGIN
    IF wish <> ALL (levels) THEN
        RAISE EXCEPTION 'cognifold.clearance = ''%'' is not one of private, shared, public', wish
            USING ERRCODE = 'CF010', HINT = 'RESET it to see all that the role may see.';
    END IF;
    IF NOT EXISTS (SELECT FROM cognifold.clearance AS c WHERE c.tenant_id = tenant) THEN   -- most tenants: every verb asks, and is told at once
        RETURN coalesce(wish, 'private');
    END IF;
    -- SET ROLE lifts nothing: both the login role and the one it acts as must be cleared.
    SELECT least(
        coalesce(min(array_position(levels, c.level::text)) FILTER (WHERE c.role_name = session_user), other.rank),
        coalesce(min(array_position(levels, c.level::text)) FILTER (WHERE c.role_name = cognifold.effective_role()), other.rank))
    INTO given
    FROM (SELECT coalesce(min(array_position(levels, p.level::text)), 3) AS rank
          FROM cognifold.clearance AS p WHERE p.tenant_id = tenant AND p.role_name = 'public') AS other
    LEFT JOIN cognifold.clearance AS c ON c.tenant_id = tenant AND c.role_name IN (session_user, cognifold.effective_role())
    GROUP BY other.rank;
    RETURN levels[least(given, coalesce(array_position(levels, wish), 3))];
END
$$;
COMMENT ON FUNCTION cognifold.clearance(text) IS
    'How private a memory the caller may see in the tenant: private (all of it), shared (what is shared or public), or public. By set_clearance; the setting cognifold.clearance lowers it for a session or a transaction, and never lifts it (views then show nothing, but to members of cognifold_partial). Raises CF010 for a setting that is none of these.';
