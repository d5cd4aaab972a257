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
    WITH recurring AS MATERIALIZED (   -- these are at their next time; few, and found by an index of their own
        SELECT e.target_id, cognifold.deadline_moment(e.metadata, t.occurred_at, t.occurred_precision, z.time_zone, clock) AS moment, t.occurred_precision
        FROM cognifold.graph_edge AS e
        CROSS JOIN LATERAL (SELECT n.occurred_at, n.occurred_precision FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = e.source_id OFFSET 0) AS t
        JOIN cognifold.tenant AS z ON z.tenant_id = tenant
        WHERE e.tenant_id = tenant AND e.type = 'deadline_for' AND e.metadata ? 'recurrence'
    )
    SELECT d.target_id, max(2 - greatest(0, cognifold.hours(d.moment) - cognifold.hours(clock)) / span)
    FROM (
        SELECT e.target_id, t.occurred_at AS moment
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
        UNION ALL
        SELECT r.target_id, r.moment FROM recurring AS r
        WHERE r.moment >= clock - (cognifold.precision_end('epoch', r.occurred_precision) - timestamptz 'epoch') AND r.moment < clock + make_interval(secs => 3600 * span)
        UNION ALL   -- an intent has the time its deadline comes next, also where that is not the first
        SELECT s.node_id, s.deadline FROM cognifold.intent_state AS s
        WHERE s.tenant_id = tenant AND s.closed_at IS NULL AND s.deadline >= clock AND s.deadline < clock + make_interval(secs => 3600 * span)
    ) AS d
    GROUP BY d.target_id;
END
$$;
COMMENT ON FUNCTION cognifold.urgent_nodes(text, timestamptz, double precision) IS
    'The nodes with a deadline that is h < span hours ahead at the clock, with urgency = 1 + (1 - h / span) of the nearest, in (1, 2] (CogniFold, Eq. 1); of one that recurs its next time counts. Faded deadlines count. Internal.';
