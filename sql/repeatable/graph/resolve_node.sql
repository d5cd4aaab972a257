-- resolve_node: the id a node goes by today: its own, or that of the concept it was merged into.
CREATE OR REPLACE FUNCTION cognifold.resolve_node(tenant text, node_id uuid) RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    WITH RECURSIVE chain AS (
        SELECT n.id, n.merged_into FROM cognifold.node AS n
        WHERE n.tenant_id = resolve_node.tenant AND n.id = resolve_node.node_id
        UNION ALL
        SELECT n.id, n.merged_into FROM chain AS c
        JOIN cognifold.node AS n ON n.tenant_id = resolve_node.tenant AND n.id = c.merged_into
    )
    SELECT c.id FROM chain AS c WHERE c.merged_into IS NULL
$$;
COMMENT ON FUNCTION cognifold.resolve_node(text, uuid) IS 'The node an id stands for today, following merges; NULL if the tenant has no such node. Internal.';
