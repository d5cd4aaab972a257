-- pagerank: how much of the memory points at each node: weighted PageRank over the live graph, 1 for the highest.
--
-- The power iteration runs over arrays, so it needs no table of its own and works on a replica. Nodes that something points at
-- are numbered; all others share one rank ("plain") at every step, as nothing but the jump and the dangling mass reaches them.
CREATE OR REPLACE FUNCTION cognifold.pagerank(
    as_of timestamptz DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (node_id uuid, rank double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1000
SET search_path FROM CURRENT
-- Every step goes over the whole graph once: hashed joins, whatever the statistics of an unnested array promise.
SET enable_nestloop = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    previous  text := cognifold.enter_tenant(tenant);
    settings  jsonb := cognifold.settings(tenant);
    damping   double precision := settings ->> 'pagerank.damping';
    tolerance double precision := settings ->> 'pagerank.tolerance';
    fade      double precision := settings ->> 'edge.fade';
    clock     timestamptz := coalesce(as_of, cognifold.now());
    episodic  double precision := cognifold.decay_integral(tenant, 'episodic', clock);
    semantic  double precision := cognifold.decay_integral(tenant, 'semantic', clock);
    nodes     bigint;
    receivers uuid[];              -- the nodes that something points at; their place here is their number
    dangles   boolean[];           -- whether such a node points nowhere
    plain_dangling bigint;         -- how many of the others point nowhere
    sources   integer[];           -- the arcs, in order of target: number of the source (NULL: a plain node),
    targets   integer[];           -- number of the target,
    shares    double precision[];  -- and which share of its source's rank goes this way
    ranks     double precision[];
    fresh     double precision[];
    plain     double precision;
    jump      double precision;
    dangling  double precision;    -- rank of all nodes that point nowhere: it is spread evenly
    change    double precision;
BEGIN
    SELECT count(*) INTO nodes
    FROM cognifold.node AS n
    WHERE n.tenant_id = tenant AND n.merged_into IS NULL AND (as_of IS NULL OR n.kind = 'time' OR n.occurred_at <= as_of);

    -- The mass, not the weight (mass cut off at 1): the edges of a node fade at one rate, so the shares of its masses stand still
    -- until a plan writes, and with them the ranks.
    WITH present AS MATERIALIZED (
        SELECT n.id
        FROM cognifold.node AS n
        WHERE n.tenant_id = tenant AND n.merged_into IS NULL AND (as_of IS NULL OR n.kind = 'time' OR n.occurred_at <= as_of)
    ), live AS MATERIALIZED (
        SELECT m.source_id, m.target_id, m.bidirectional, m.mass
        FROM (SELECT e.source_id, e.target_id, e.bidirectional,
                     -- What was stated later had not been said yet: the journal knows how the edge stood.
                     cognifold.mass(CASE WHEN as_of IS NULL OR e.stamped_at <= as_of THEN e.potential
                                         ELSE cognifold.potential_at(tenant, e.source_id, e.target_id, e.type, as_of) END,
                                    CASE e.rate WHEN 'episodic' THEN episodic ELSE semantic END) AS mass
              FROM cognifold.graph_edge AS e
              WHERE e.tenant_id = tenant AND (e.faded_at IS NULL OR e.faded_at > clock)) AS m
        WHERE m.mass >= fade
    ), arc AS (
        SELECT d.source_id, d.target_id, sum(d.mass ORDER BY d.mass) AS mass
        FROM (SELECT l.source_id, l.target_id, l.mass FROM live AS l
              UNION ALL
              SELECT l.target_id, l.source_id, l.mass FROM live AS l WHERE l.bidirectional) AS d
        JOIN present AS s ON s.id = d.source_id
        JOIN present AS t ON t.id = d.target_id
        GROUP BY d.source_id, d.target_id
    ), shared AS MATERIALIZED (
        SELECT a.source_id, a.target_id,
               a.mass / sum(a.mass) OVER (PARTITION BY a.source_id ORDER BY a.target_id
                                          ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS share
        FROM arc AS a
    ), receiver AS MATERIALIZED (
        SELECT t.target_id AS id, row_number() OVER (ORDER BY t.target_id)::integer AS number
        FROM (SELECT DISTINCT s.target_id FROM shared AS s) AS t
    ), giver AS MATERIALIZED (
        SELECT DISTINCT s.source_id AS id FROM shared AS s
    ), numbered AS (
        SELECT f.number AS source, t.number AS target, s.share
        FROM shared AS s
        JOIN receiver AS t ON t.id = s.target_id
        LEFT JOIN receiver AS f ON f.id = s.source_id
    )
    SELECT a.sources, a.targets, a.shares, r.receivers, r.dangles,
           nodes - cardinality(r.receivers) - (SELECT count(*) FROM giver AS g LEFT JOIN receiver AS v ON v.id = g.id WHERE v.id IS NULL)
    INTO sources, targets, shares, receivers, dangles, plain_dangling
    FROM (SELECT array_agg(n.source ORDER BY n.target, n.source) AS sources, array_agg(n.target ORDER BY n.target, n.source) AS targets,
                 array_agg(n.share ORDER BY n.target, n.source) AS shares
          FROM numbered AS n) AS a
    CROSS JOIN (SELECT array_agg(v.id ORDER BY v.number) AS receivers, array_agg(g.id IS NULL ORDER BY v.number) AS dangles
                FROM receiver AS v LEFT JOIN giver AS g ON g.id = v.id) AS r;

    IF receivers IS NOT NULL THEN
        plain := 1.0 / nodes;
        ranks := array_fill(plain, ARRAY[cardinality(receivers)]);
        dangling := plain * (plain_dangling + (SELECT count(*) FROM unnest(dangles) AS d (dangles) WHERE d.dangles));
        FOR step IN 1 .. (settings ->> 'pagerank.iterations')::integer LOOP
            jump := (1 - damping + damping * dangling) / nodes;
            SELECT array_agg(r.rank ORDER BY r.target), sum(abs(r.rank - ranks[r.target])),
                   coalesce(sum(r.rank) FILTER (WHERE dangles[r.target]), 0)
            INTO fresh, change, dangling
            FROM (SELECT a.target, jump + damping * sum(a.share * coalesce(ranks[a.source], plain)) AS rank
                  FROM unnest(sources, targets, shares) AS a (source, target, share)
                  GROUP BY a.target) AS r;
            change := change + abs(jump - plain) * (nodes - cardinality(receivers));
            dangling := dangling + jump * plain_dangling;
            ranks := fresh;
            plain := jump;
            EXIT WHEN change < tolerance;
        END LOOP;
    END IF;

    RETURN QUERY
    SELECT p.id, p.rank / max(p.rank) OVER ()
    FROM (SELECT n.id, coalesce(r.rank, plain, 1) AS rank
          FROM cognifold.node AS n
          LEFT JOIN unnest(receivers, ranks) AS r (id, rank) ON r.id = n.id
          WHERE n.tenant_id = tenant AND n.merged_into IS NULL AND (as_of IS NULL OR n.kind = 'time' OR n.occurred_at <= as_of)) AS p
    ORDER BY 2 DESC, 1;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.pagerank(timestamptz, text) IS
    'Weighted PageRank of every node over the edges live at as_of, divided by the tenant''s maximum, so in (0, 1], highest first (Page et al., 1999; setting pagerank.damping, .85). Directed, a bidirectional edge both ways; parallel edges sum; a node''s rank goes out in proportion to its edges'' masses; that of nodes which point nowhere is spread evenly. Iterated until the ranks, which sum to 1, change by less than pagerank.tolerance in all, or pagerank.iterations times. Merged concepts are left out, and with as_of what happened later. Computed whole at each call.';
