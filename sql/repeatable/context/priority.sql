-- priority: how much each memory matters at a moment (CogniFold, Eq. 1), with the parts it is made of.
CREATE OR REPLACE FUNCTION cognifold.priority(tenant text, as_of timestamptz)
RETURNS TABLE (node_id uuid, kind text, occurred_at timestamptz, score double precision,
               pagerank double precision, recency double precision, access double precision, urgency double precision)
LANGUAGE sql STABLE ROWS 1000
SET search_path FROM CURRENT
SET enable_nestloop = off  -- the whole memory joined with the whole memory
SET jit = off
AS $$
    WITH constant AS MATERIALIZED (
        SELECT cognifold.settings(priority.tenant) AS value, coalesce(priority.as_of, cognifold.now()) AS clock,
               cognifold.hours(coalesce(priority.as_of, cognifold.now())) AS hour
    ), deadline AS (
        -- A day, month or year is ahead until it ends, and due from its beginning on.
        SELECT e.target_id, greatest(0, cognifold.hours(t.occurred_at) - c.hour) AS hours_left,
               (c.value ->> 'priority.urgency_window')::double precision AS span
        FROM cognifold.graph_edge AS e
        JOIN cognifold.node AS t ON t.tenant_id = priority.tenant AND t.id = e.source_id AND t.kind = 'time'
        CROSS JOIN constant AS c
        WHERE e.tenant_id = priority.tenant AND e.type = 'deadline_for'
          AND cognifold.precision_end(t.occurred_at, t.occurred_precision) >= c.clock
    ), urgent AS (
        SELECT d.target_id, max(2 - d.hours_left / d.span) AS urgency FROM deadline AS d WHERE d.hours_left < d.span GROUP BY d.target_id
    ), part AS (
        SELECT n.id, n.kind, n.occurred_at, r.rank AS pagerank,
               exp(-least(690, (c.value ->> 'priority.decay')::double precision
                               * greatest(0, c.hour - cognifold.hours(coalesce(s.last_accessed, n.occurred_at))))) AS recency,
               coalesce(ln(1 + coalesce(s.access_count, 0)) / NULLIF(ln(1 + max(s.access_count) OVER ()), 0), 0) AS access,
               coalesce(u.urgency, 1) AS urgency
        FROM cognifold.node AS n
        JOIN cognifold.pagerank(priority.as_of, priority.tenant) AS r ON r.node_id = n.id
        CROSS JOIN constant AS c
        LEFT JOIN cognifold.node_state AS s ON s.tenant_id = priority.tenant AND s.node_id = n.id
        LEFT JOIN urgent AS u ON u.target_id = n.id
        WHERE n.tenant_id = priority.tenant AND n.kind <> 'time'
    )
    SELECT p.id, p.kind, p.occurred_at,
           ((c.value ->> 'priority.weight_pagerank')::double precision * p.pagerank
            + (c.value ->> 'priority.weight_recency')::double precision * p.recency
            + (c.value ->> 'priority.weight_access')::double precision * p.access) * p.urgency,
           p.pagerank, p.recency, p.access, p.urgency
    FROM part AS p CROSS JOIN constant AS c
$$;
COMMENT ON FUNCTION cognifold.priority(text, timestamptz) IS
    'Eq. 1 of CogniFold for every event, concept and intent: (.4 pagerank + .4 recency + .2 access) * urgency. recency = exp(-.01 per hour since the last access, or since it happened if never accessed) in (0, 1]; access = ln(1 + access_count) / ln(1 + the largest), in [0, 1]; urgency in [1, 2] = 1 + (1 - h / 24) for the nearest deadline that is h < 24 hours ahead, else 1. Internal: context_window calls it.';
