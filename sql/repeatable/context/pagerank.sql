-- pagerank: how much of the memory points at each node: weighted PageRank over the live graph, 1 for the highest.
CREATE OR REPLACE FUNCTION cognifold.pagerank(
    as_of timestamptz DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (node_id uuid, rank double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1000
SET search_path FROM CURRENT
SET enable_nestloop = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
BEGIN
    RETURN QUERY
    SELECT p.id, p.rank / max(p.rank) OVER ()
    FROM (SELECT n.id, coalesce(r.rank, 1) AS rank
          FROM cognifold.node AS n
          LEFT JOIN cognifold.whole_ranks(tenant, as_of, cognifold.setting('edge.fade', tenant), cognifold.setting('pagerank.tolerance', tenant))
                 AS r ON r.node_id = n.id
          WHERE n.tenant_id = tenant AND n.merged_into IS NULL AND (as_of IS NULL OR n.kind = 'time' OR n.occurred_at <= as_of)) AS p
    ORDER BY 2 DESC, 1;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.pagerank(timestamptz, text) IS
    'Weighted PageRank of every node over the edges live at as_of, divided by the tenant''s maximum, so in (0, 1], highest first (Page et al., 1999; setting pagerank.damping, .85). Directed, a bidirectional edge both ways; parallel edges sum; a node''s rank goes out in proportion to its edges'' masses; that of nodes which point nowhere is spread evenly. Iterated until the ranks change by less than the share pagerank.tolerance in all, or pagerank.iterations times. Merged concepts are left out, and with as_of what happened later. Computed whole at each call: context_window reads what settle_ranks keeps instead.';
