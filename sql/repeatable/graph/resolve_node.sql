-- resolve_node: the id a node goes by today: its own, or that of the concept it was merged into.
CREATE OR REPLACE FUNCTION cognifold.resolve_node(tenant text, node_id uuid) RETURNS uuid
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    -- One step is enough: a merge points every id that led to the merged concept at the survivor.
    SELECT coalesce(n.merged_into, n.id) FROM cognifold.node AS n
    WHERE n.tenant_id = resolve_node.tenant AND n.id = resolve_node.node_id
$$;
COMMENT ON FUNCTION cognifold.resolve_node(text, uuid) IS 'The node an id stands for today, following a merge; NULL if the tenant has no such node. Internal.';
