-- priority: how much each memory matters at a moment (CogniFold, Eq. 1), computed from the whole memory.
CREATE OR REPLACE FUNCTION cognifold.priority(tenant text, as_of timestamptz)
RETURNS TABLE (node_id uuid, kind text, occurred_at timestamptz, score double precision,
               pagerank double precision, recency double precision, access double precision, urgency double precision, band integer)
LANGUAGE sql STABLE ROWS 1000
SET search_path FROM CURRENT
SET enable_nestloop = off  -- the whole memory joined with the whole memory
SET jit = off
AS $$
    WITH constant AS MATERIALIZED (
        SELECT cognifold.settings(priority.tenant) AS value, coalesce(priority.as_of, cognifold.now()) AS clock,
               cognifold.hours(coalesce(priority.as_of, cognifold.now())) AS hour
    ), ranked AS MATERIALIZED (
        SELECT n.id, n.kind, n.occurred_at, coalesce(r.rank, 1) AS rank, max(coalesce(r.rank, 1)) OVER () AS highest
        FROM cognifold.node AS n
        LEFT JOIN cognifold.whole_ranks(priority.tenant, priority.as_of, cognifold.setting('edge.fade', priority.tenant),
                                        cognifold.setting('pagerank.tolerance', priority.tenant)) AS r ON r.node_id = n.id
        WHERE n.tenant_id = priority.tenant AND n.merged_into IS NULL
          AND (priority.as_of IS NULL OR n.kind = 'time' OR n.occurred_at <= priority.as_of)
    ), part AS (
        SELECT n.id, n.kind, n.occurred_at, n.rank / n.highest AS pagerank, n.rank,
               cognifold.recency(c.hour - cognifold.hours(coalesce(s.last_accessed, n.occurred_at)),
                                 (c.value ->> 'priority.decay')::double precision) AS recency,
               coalesce(ln(1 + coalesce(s.access_count, 0)) / NULLIF(ln(1 + max(s.access_count) OVER ()), 0), 0) AS access,
               coalesce(u.urgency, 1) AS urgency
        FROM ranked AS n
        CROSS JOIN constant AS c
        LEFT JOIN cognifold.node_state AS s ON s.tenant_id = priority.tenant AND s.node_id = n.id
        LEFT JOIN cognifold.urgent_nodes(priority.tenant, coalesce(priority.as_of, cognifold.now()),
                                         cognifold.setting('priority.urgency_window', priority.tenant)) AS u ON u.node_id = n.id
        WHERE n.kind <> 'time'
    )
    SELECT p.id, p.kind, p.occurred_at, cognifold.priority_score(p.pagerank, p.recency, p.access, p.urgency, c.value),
           p.pagerank, p.recency, p.access, p.urgency, cognifold.rank_band(p.rank)
    FROM part AS p CROSS JOIN constant AS c
$$;
COMMENT ON FUNCTION cognifold.priority(text, timestamptz) IS
    'Eq. 1 of CogniFold for every event, concept and intent: (.4 pagerank + .4 recency + .2 access) * urgency. recency = exp(-.01 per hour since the last access, or since it happened if never accessed) in (0, 1]; access = ln(1 + access_count) / ln(1 + the largest), in [0, 1]; urgency in [1, 2] = 1 + (1 - h / 24) for the nearest deadline that is h < 24 hours ahead, else 1; band as in node_rank. Reads the whole memory: for moments that are not now. Internal: context_window calls it.';
