-- is_cleared: whether a node is of one of these privacy levels.
CREATE OR REPLACE FUNCTION cognifold.is_cleared(tenant text, node_id uuid, levels text[]) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL RESTRICTED
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_variable
BEGIN
    RETURN EXISTS (SELECT FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = node_id AND n.privacy_level = ANY (levels))
       AND cognifold.tenant_permitted(tenant);
END
$$;
COMMENT ON FUNCTION cognifold.is_cleared(text, uuid, text[]) IS
    'Whether the tenant that is set, and the caller may use, has the node, and it is of one of these levels: what a policy asks of rows about a node, for a reader whose clearance is not private. (A function, and no subquery: of those it would show in the estimates of every reader''s plans.)';
