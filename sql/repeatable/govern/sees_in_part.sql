-- sees_in_part: whether the caller may see only a part of the tenant. Whoever runs as cognifold_cleared sees that part already.
CREATE OR REPLACE FUNCTION cognifold.sees_in_part(tenant text) RETURNS boolean
LANGUAGE sql STABLE PARALLEL RESTRICTED
AS $$
    SELECT current_user <> 'cognifold_cleared' AND cognifold.clearance(tenant) <> 'private'
$$;
COMMENT ON FUNCTION cognifold.sees_in_part(text) IS
    'Whether the caller''s clearance is less than private, and this is not the part of a verb that reads by its clearance. Internal: enter_tenant and the reading verbs ask.';
