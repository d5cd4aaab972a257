-- live_ends: where a node's live edges lead, followed either way.
CREATE OR REPLACE FUNCTION cognifold.live_ends(tenant text, node_id uuid) RETURNS TABLE (id uuid, relation text, forward boolean)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 20
AS $$
    SELECT e.target_id, e.type, true FROM cognifold.graph_edge AS e
    WHERE e.tenant_id = live_ends.tenant AND e.source_id = live_ends.node_id AND e.faded_at IS NULL
    UNION ALL
    SELECT e.source_id, e.type, false FROM cognifold.graph_edge AS e
    WHERE e.tenant_id = live_ends.tenant AND e.target_id = live_ends.node_id AND e.faded_at IS NULL
$$;
COMMENT ON FUNCTION cognifold.live_ends(text, uuid) IS
    'The other ends of a node''s live edges, one row an edge; forward: the edge leads from the node there. Internal.';
