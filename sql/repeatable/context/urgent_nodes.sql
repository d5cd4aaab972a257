-- urgent_nodes: what has a deadline within the next day, and how near it is.
CREATE OR REPLACE FUNCTION cognifold.urgent_nodes(tenant text, clock timestamptz, span double precision)
RETURNS TABLE (node_id uuid, urgency double precision)
LANGUAGE plpgsql STABLE ROWS 20
SET search_path FROM CURRENT
-- Deadlines are looked up by their time, targets by their deadline.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_variable
BEGIN
    RETURN QUERY
    SELECT e.target_id, max(2 - greatest(0, cognifold.hours(t.occurred_at) - cognifold.hours(clock)) / span)
    -- A day, month or year is ahead until it ends, and due from its beginning on.
    FROM (VALUES ('instant'), ('day'), ('month'), ('year')) AS p (stated)
    CROSS JOIN LATERAL (
        SELECT n.id, n.occurred_at FROM cognifold.node AS n
        WHERE n.tenant_id = tenant AND n.kind = 'time' AND n.occurred_precision = p.stated
          AND n.occurred_at >= clock - (cognifold.precision_end('epoch', p.stated) - timestamptz 'epoch')
          AND n.occurred_at < clock + make_interval(secs => 3600 * span)
        OFFSET 0
    ) AS t
    CROSS JOIN LATERAL (
        SELECT g.target_id FROM cognifold.graph_edge AS g
        WHERE g.tenant_id = tenant AND g.source_id = t.id AND g.type = 'deadline_for'
        OFFSET 0
    ) AS e
    GROUP BY e.target_id;
END
$$;
COMMENT ON FUNCTION cognifold.urgent_nodes(text, timestamptz, double precision) IS
    'The nodes with a deadline that is h < span hours ahead at the clock, with urgency = 1 + (1 - h / span) of the nearest, in (1, 2] (CogniFold, Eq. 1). Faded deadlines count. Internal.';
