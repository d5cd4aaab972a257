-- cleared_levels: the privacy levels that the caller may see in the tenant that is set; NULL where the role may not use it.
CREATE OR REPLACE FUNCTION cognifold.cleared_levels() RETURNS text[]
LANGUAGE sql STABLE PARALLEL RESTRICTED
SET search_path FROM CURRENT
AS $$
    SELECT CASE WHEN cognifold.tenant_permitted(t.tenant) THEN
               CASE cognifold.clearance(t.tenant) WHEN 'private' THEN ARRAY['private', 'shared', 'public'] WHEN 'shared' THEN ARRAY['shared', 'public'] ELSE ARRAY['public'] END
           END
    FROM (SELECT cognifold.current_tenant() AS tenant OFFSET 0) AS t
$$;
COMMENT ON FUNCTION cognifold.cleared_levels() IS
    'The privacy levels that the caller''s clearance covers, in the tenant that is set; NULL where the role may not use that tenant. Policies fix it once a statement.';
