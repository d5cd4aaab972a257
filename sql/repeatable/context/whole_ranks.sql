-- whole_ranks: the ranks of all nodes that something points at, computed from the whole graph: what settle_ranks keeps, exactly.
--
-- The power iteration runs over arrays, so it needs no table of its own and works on a replica.
CREATE OR REPLACE FUNCTION cognifold.whole_ranks(tenant text, as_of timestamptz, fade double precision, tolerance double precision)
RETURNS TABLE (node_id uuid, rank double precision)
LANGUAGE plpgsql STABLE ROWS 1000
SET search_path FROM CURRENT
-- Every step goes over the whole graph once: hashed joins, whatever the statistics of an unnested array promise.
SET enable_nestloop = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    damping   double precision := cognifold.setting('pagerank.damping', tenant);
    receivers uuid[];              -- the nodes that something points at; their place here is their number
    sources   integer[];           -- the arcs: number of the source (NULL: nothing points at it, so its rank is 1),
    targets   integer[];           -- number of the target,
    shares    double precision[];  -- and which share of its source's rank goes this way
    ranks     double precision[];
    fresh     double precision[];
    change    double precision;
BEGIN
    WITH shared AS MATERIALIZED (
        SELECT s.* FROM cognifold.live_shares(tenant, as_of, fade) AS s
    ), receiver AS MATERIALIZED (
        SELECT t.target_id AS id, row_number() OVER (ORDER BY t.target_id)::integer AS number
        FROM (SELECT DISTINCT s.target_id FROM shared AS s) AS t
    ), numbered AS (
        SELECT f.number AS source, t.number AS target, s.share
        FROM shared AS s
        JOIN receiver AS t ON t.id = s.target_id
        LEFT JOIN receiver AS f ON f.id = s.source_id
    )
    SELECT a.sources, a.targets, a.shares, r.receivers
    INTO sources, targets, shares, receivers
    FROM (SELECT array_agg(n.source ORDER BY n.target, n.source) AS sources, array_agg(n.target ORDER BY n.target, n.source) AS targets,
                 array_agg(n.share ORDER BY n.target, n.source) AS shares
          FROM numbered AS n) AS a
    CROSS JOIN (SELECT array_agg(v.id ORDER BY v.number) AS receivers FROM receiver AS v) AS r;
    IF receivers IS NULL THEN
        RETURN;
    END IF;
    ranks := array_fill(1.0::double precision, ARRAY[cardinality(receivers)]);
    FOR step IN 1 .. cognifold.setting('pagerank.iterations', tenant)::integer LOOP
        SELECT array_agg(r.rank ORDER BY r.target), sum(abs(r.rank - ranks[r.target])) / sum(r.rank)
        INTO fresh, change
        FROM (SELECT a.target, 1 + damping * sum(a.share * coalesce(ranks[a.source], 1)) AS rank
              FROM unnest(sources, targets, shares) AS a (source, target, share)
              GROUP BY a.target) AS r;
        ranks := fresh;
        EXIT WHEN change < tolerance;
    END LOOP;
    RETURN QUERY SELECT r.id, r.rank FROM unnest(receivers, ranks) AS r (id, rank);
END
$$;
COMMENT ON FUNCTION cognifold.whole_ranks(text, timestamptz, double precision, double precision) IS
    'Weighted PageRank in units of what a node has that nothing points at (such nodes, of rank 1, are not returned): rank = 1 + damping * sum of share * rank over live_shares. Iterated until the ranks change by less than the share tolerance of their sum, or pagerank.iterations times. Internal.';
