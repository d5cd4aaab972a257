-- foremost: every memory that can have a place in a context window now, found without reading the others.
--
-- The threshold algorithm (Fagin, Lotem and Naor 2003): the memory is read from the top of lists, by rank, by time, by last access
-- and by number of accesses, each an index, and what has a deadline ahead entirely. What stands in none of the heads so far is no
-- better in any part than the last of its list; once the places are filled by better ones than that, no other can have one.
CREATE OR REPLACE FUNCTION cognifold.foremost(
    tenant text, clock timestamptz, settings jsonb, immediate integer, working integer, background integer, places integer
) RETURNS TABLE (node_id uuid, kind text, occurred_at timestamptz, score double precision,
                 pagerank double precision, recency double precision, access double precision, urgency double precision, band integer)
LANGUAGE plpgsql STABLE ROWS 500
SET search_path FROM CURRENT
-- Heads of indexes and look-ups by key, whatever the memory held when the statements were planned.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    hour      double precision := cognifold.hours(clock);
    decay     double precision := settings ->> 'priority.decay';
    highest   double precision;  -- the tenant's highest rank
    most      bigint;            -- its largest number of accesses
    due       uuid[];
    urgencies double precision[];
    depth     integer := greatest(64, 2 * places, immediate + working + background + (settings ->> 'context.background_pool')::integer);
    by_rank   uuid[];
    by_time   uuid[];
    by_use    uuid[];
    by_count  uuid[];
    last_band integer;
    open_kinds text[];              -- kinds of which some have not been read,
    last_time  timestamptz[];       -- and the time of the last that was
    last_use   timestamptz;
    last_count bigint;
    ids       uuid[];
    kinds     text[];
    times     timestamptz[];
    scores    double precision[];
    ranks     double precision[];
    recencies double precision[];
    accesses  double precision[];
    urgent    double precision[];
    bands     integer[];
    immediate_bar double precision;  -- what the last place of each goes at so far
    working_bar   double precision;
    priority_bar  double precision;
BEGIN
    -- In the highest band: more than a thousand there are within 3 % of each other.
    SELECT coalesce(max(t.rank), 1) INTO highest
    FROM (SELECT k.rank FROM cognifold.node_rank AS k
          WHERE k.tenant_id = tenant AND k.band > 0
            AND k.band = (SELECT h.band FROM cognifold.node_rank AS h WHERE h.tenant_id = tenant AND h.band > 0 ORDER BY h.band DESC, h.node_id DESC LIMIT 1)
          ORDER BY k.band DESC, k.node_id DESC LIMIT 1000) AS t;
    SELECT s.access_count INTO most
    FROM cognifold.node_state AS s
    CROSS JOIN LATERAL (SELECT FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = s.node_id AND n.kind <> 'time' AND n.merged_into IS NULL LIMIT 1) AS n
    WHERE s.tenant_id = tenant AND s.access_count > 0 ORDER BY s.access_count DESC LIMIT 1;
    SELECT array_agg(u.node_id), array_agg(u.urgency) INTO due, urgencies
    FROM cognifold.urgent_nodes(tenant, clock, (settings ->> 'priority.urgency_window')::double precision) AS u;

    LOOP
        SELECT array_agg(t.node_id), min(t.band) INTO by_rank, last_band
        FROM (SELECT k.node_id, k.band
              FROM cognifold.node_rank AS k
              CROSS JOIN LATERAL (SELECT FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = k.node_id AND n.kind <> 'time' AND n.merged_into IS NULL LIMIT 1) AS n
              WHERE k.tenant_id = tenant AND k.band > 0 ORDER BY k.band DESC, k.node_id DESC LIMIT depth) AS t;
        IF coalesce(cardinality(by_rank), 0) < depth THEN
            last_band := 0;
        END IF;
        SELECT array_agg(t.id), array_agg(k.kind) FILTER (WHERE t.place = depth), array_agg(t.occurred_at) FILTER (WHERE t.place = depth)
        INTO by_time, open_kinds, last_time
        FROM (VALUES ('event'), ('concept'), ('intent')) AS k (kind)
        CROSS JOIN LATERAL (
            SELECT o.id, o.occurred_at, row_number() OVER () AS place
            FROM (SELECT n.id, n.occurred_at FROM cognifold.node AS n
                  WHERE n.tenant_id = tenant AND n.kind = k.kind AND n.merged_into IS NULL
                  ORDER BY n.occurred_at DESC, n.id DESC LIMIT depth) AS o
        ) AS t;
        SELECT array_agg(t.node_id), min(t.last_accessed) INTO by_use, last_use
        FROM (SELECT s.node_id, s.last_accessed
              FROM cognifold.node_state AS s
              CROSS JOIN LATERAL (SELECT FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = s.node_id AND n.kind <> 'time' AND n.merged_into IS NULL LIMIT 1) AS n
              WHERE s.tenant_id = tenant AND s.last_accessed IS NOT NULL ORDER BY s.last_accessed DESC LIMIT depth) AS t;
        IF coalesce(cardinality(by_use), 0) < depth THEN
            last_use := NULL;
        END IF;
        SELECT array_agg(t.node_id), min(t.access_count) INTO by_count, last_count
        FROM (SELECT s.node_id, s.access_count
              FROM cognifold.node_state AS s
              CROSS JOIN LATERAL (SELECT FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = s.node_id AND n.kind <> 'time' AND n.merged_into IS NULL LIMIT 1) AS n
              WHERE s.tenant_id = tenant AND s.access_count > 0 ORDER BY s.access_count DESC LIMIT depth) AS t;
        IF coalesce(cardinality(by_count), 0) < depth THEN
            last_count := 0;
        END IF;

        WITH head AS MATERIALIZED (
            SELECT h.id, max(h.urgency) AS urgency
            FROM (SELECT u.id, u.urgency FROM unnest(due, urgencies) AS u (id, urgency)
                  UNION ALL
                  SELECT r.id, 1 FROM unnest(by_rank || by_time || by_use || by_count) AS r (id)) AS h
            GROUP BY h.id
        ), part AS MATERIALIZED (
            SELECT h.id, n.kind, n.occurred_at, least(1, coalesce(k.rank, 1) / highest) AS pagerank,
                   cognifold.recency(hour - cognifold.hours(coalesce(s.last_accessed, n.occurred_at)), decay) AS recency,
                   coalesce(ln(1 + s.access_count) / ln(1 + most), 0) AS access, h.urgency, coalesce(k.band, 0) AS band
            FROM head AS h
            CROSS JOIN LATERAL (
                SELECT o.kind, o.occurred_at FROM cognifold.node AS o
                WHERE o.tenant_id = tenant AND o.id = h.id AND o.kind <> 'time' AND o.merged_into IS NULL LIMIT 1
            ) AS n
            LEFT JOIN LATERAL (
                SELECT o.rank, o.band FROM cognifold.node_rank AS o WHERE o.tenant_id = tenant AND o.node_id = h.id LIMIT 1
            ) AS k ON true
            LEFT JOIN LATERAL (
                SELECT o.last_accessed, o.access_count FROM cognifold.node_state AS o WHERE o.tenant_id = tenant AND o.node_id = h.id LIMIT 1
            ) AS s ON true
        ), scored AS MATERIALIZED (
            SELECT p.*, cognifold.priority_score(p.pagerank, p.recency, p.access, p.urgency, settings) AS score,
                   cognifold.immediate_score(p.recency, p.urgency, settings) AS immediate_score,
                   cognifold.working_score(p.pagerank, p.recency, p.kind, settings) AS working_score
            FROM part AS p
        )
        SELECT array_agg(s.id), array_agg(s.kind), array_agg(s.occurred_at), array_agg(s.score), array_agg(s.pagerank), array_agg(s.recency),
               array_agg(s.access), array_agg(s.urgency), array_agg(s.band),
               (array_agg(s.immediate_score ORDER BY s.immediate_score DESC))[immediate],
               (array_agg(s.working_score ORDER BY s.working_score DESC))[immediate + working],
               (array_agg(s.score ORDER BY s.score DESC))[places]
        INTO ids, kinds, times, scores, ranks, recencies, accesses, urgent, bands, immediate_bar, working_bar, priority_bar
        FROM scored AS s;

        -- The best that a memory can be which none of the heads holds.
        EXIT WHEN open_kinds IS NULL OR (
            SELECT coalesce(immediate_bar >= max(b.immediate) OR immediate = 0, false)
                   AND coalesce(working_bar >= max(b.working) OR immediate + working = 0, false)
                   AND coalesce(priority_bar >= max(b.priority), false)
            FROM (SELECT cognifold.immediate_score(r.recency, 1, settings) AS immediate,
                         cognifold.working_score(r.pagerank, r.recency, r.kind, settings) AS working,
                         cognifold.priority_score(r.pagerank, r.recency, r.access, 1, settings) AS priority
                  FROM (SELECT o.kind, least(1, exp((last_band + 1) / 32.0::double precision) / highest) AS pagerank,
                               cognifold.recency(hour - cognifold.hours(greatest(o.moment, last_use)), decay) AS recency,
                               coalesce(ln(1 + last_count) / ln(1 + most), 0) AS access
                        FROM unnest(open_kinds, last_time) AS o (kind, moment)) AS r) AS b);
        depth := 2 * depth;
    END LOOP;
    RETURN QUERY
    SELECT f.* FROM unnest(ids, kinds, times, scores, ranks, recencies, accesses, urgent, bands) AS f;
END
$$;
COMMENT ON FUNCTION cognifold.foremost(text, timestamptz, jsonb, integer, integer, integer, integer) IS
    'As priority, with the stored ranks, for a set of memories that holds the best places by priority, the best immediate + working by working_score, the best immediate by immediate_score, and the context.background_pool + all those places best by band. Exact but for equals: of memories with the same score either may be in it. Internal: context_window calls it.';
