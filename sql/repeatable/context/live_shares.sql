-- live_shares: which share of its rank each node passes on to which other, over all live edges of a tenant.
CREATE OR REPLACE FUNCTION cognifold.live_shares(tenant text, as_of timestamptz, fade double precision)
RETURNS TABLE (source_id uuid, target_id uuid, share double precision)
LANGUAGE sql STABLE ROWS 100000
SET search_path FROM CURRENT
SET enable_nestloop = off
SET jit = off
AS $$
    -- The mass, not the weight (mass cut off at 1): the edges of a node fade at one rate, so the shares of its masses stand still
    -- until a plan writes, and with them the ranks.
    WITH present AS MATERIALIZED (
        SELECT n.id
        FROM cognifold.node AS n
        WHERE n.tenant_id = live_shares.tenant AND n.merged_into IS NULL
          AND (live_shares.as_of IS NULL OR n.kind = 'time' OR n.occurred_at <= live_shares.as_of)
    ), clock AS MATERIALIZED (
        SELECT c.moment, cognifold.decay_integral(live_shares.tenant, 'episodic', c.moment) AS episodic,
               cognifold.decay_integral(live_shares.tenant, 'semantic', c.moment) AS semantic
        FROM (SELECT coalesce(live_shares.as_of, cognifold.now()) AS moment) AS c
    ), live AS MATERIALIZED (
        SELECT m.source_id, m.target_id, m.bidirectional, m.mass
        FROM (SELECT e.source_id, e.target_id, e.bidirectional,
                     -- What was stated later had not been said yet: the journal knows how the edge stood.
                     cognifold.mass(CASE WHEN live_shares.as_of IS NULL OR e.stamped_at <= live_shares.as_of THEN e.potential
                                         ELSE cognifold.potential_at(live_shares.tenant, e.source_id, e.target_id, e.type, live_shares.as_of) END,
                                    CASE e.rate WHEN 'episodic' THEN c.episodic ELSE c.semantic END) AS mass
              FROM clock AS c
              CROSS JOIN cognifold.graph_edge AS e
              WHERE e.tenant_id = live_shares.tenant AND (e.faded_at IS NULL OR e.faded_at > c.moment)) AS m
        WHERE m.mass >= live_shares.fade
    ), arc AS (
        SELECT d.source_id, d.target_id, sum(d.mass ORDER BY d.mass) AS mass
        FROM (SELECT l.source_id, l.target_id, l.mass FROM live AS l
              UNION ALL
              SELECT l.target_id, l.source_id, l.mass FROM live AS l WHERE l.bidirectional) AS d
        JOIN present AS s ON s.id = d.source_id
        JOIN present AS t ON t.id = d.target_id
        GROUP BY d.source_id, d.target_id
    )
    SELECT a.source_id, a.target_id,
           a.mass / sum(a.mass) OVER (PARTITION BY a.source_id ORDER BY a.target_id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
    FROM arc AS a
$$;
COMMENT ON FUNCTION cognifold.live_shares(text, timestamptz, double precision) IS
    'Every arc that rank flows along at as_of (NULL: now): parallel edges summed, a bidirectional edge both ways, edges of a mass below fade, merged concepts and, with as_of, what happened later left out; share in (0, 1], 1 in all for each source. Reads the whole graph. Internal.';
