-- spread: what is activated by what a question has activated: over names, and over the live edges of the graph.
--
-- Only the strongest pass on, and each only to so many: no memory is large enough, no name common enough and no hub dense enough to
-- make a hop read more than spread.seeds * (mention.names + 4) * spread.fan_out index entries.
CREATE OR REPLACE FUNCTION cognifold.spread(tenant text, node_ids uuid[], strengths double precision[], narrow cognifold.narrowing, given jsonb DEFAULT NULL)
RETURNS TABLE (node_id uuid, strength double precision, via uuid[], reason text)
LANGUAGE plpgsql STABLE ROWS 100
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    settings    jsonb := coalesce(given, cognifold.settings(tenant));
    seeds       integer := settings -> 'spread.seeds';
    share       double precision := settings -> 'spread.share';
    fan_out     integer := settings -> 'spread.fan_out';
    most        integer := settings -> 'mention.names';
    shared_name double precision := settings -> 'spread.shared_name';
    edge_share  double precision := settings -> 'spread.edge';
    clock       timestamptz;       -- when edges weigh what they weigh, where they count,
    episodic    double precision;  -- and the decay up to then
    semantic    double precision;
    total       double precision;
    front       uuid[] := node_ids;
    force       double precision[] := strengths;
    ways        text[] := array_fill('{}'::text, ARRAY[coalesce(cardinality(node_ids), 0)]);  -- the nodes on the way to each, uuid[] as text
    found       uuid[] := '{}';
    found_force double precision[] := '{}';
    found_ways  text[] := '{}';
    reasons     text[] := '{}';
    because     text[];
BEGIN
    IF edge_share > 0 THEN
        clock := coalesce((narrow).as_of, cognifold.now());
        episodic := cognifold.decay_integral(tenant, 'episodic', clock);
        semantic := cognifold.decay_integral(tenant, 'semantic', clock);
    END IF;
    SELECT greatest(s.document_count, 2) INTO total FROM cognifold.lexical_statistics AS s WHERE s.tenant_id = tenant;
    FOR hop IN 1 .. (settings -> 'spread.hops')::integer LOOP
        WITH seed AS MATERIALIZED (
            SELECT f.node_id, f.strength, f.way
            FROM unnest(front, force, ways) AS f (node_id, strength, way)
            WHERE f.strength > 0
            ORDER BY f.strength DESC, f.node_id
            LIMIT seeds
        ), name AS (       -- the names of the seeds, each looked up once
            SELECT h.name, array_agg(s.node_id) AS seeds, array_agg(h.role) AS roles
            FROM seed AS s
            CROSS JOIN LATERAL (
                SELECT m.name, m.role FROM cognifold.mention AS m
                WHERE m.tenant_id = tenant AND m.node_id = s.node_id
                ORDER BY m.role, m.name LIMIT most + 3   -- a title bears three names
            ) AS h
            GROUP BY h.name
        ), bearer AS (
            SELECT n.name, n.seeds, n.roles, x.role, x.node_id, x.count, x.bearers
            FROM name AS n
            CROSS JOIN LATERAL (
                SELECT y.role, y.node_id, count(*) OVER () AS count, count(*) FILTER (WHERE y.role = 0) OVER () AS bearers
                FROM (SELECT m.role, m.node_id FROM cognifold.mention AS m
                      WHERE m.tenant_id = tenant AND m.name = n.name
                      ORDER BY m.role, m.node_id LIMIT fan_out + 1) AS y
            ) AS x
            WHERE CASE x.role WHEN 0 THEN x.bearers ELSE x.count END <= fan_out
        ), arc AS (
            SELECT s.seed, b.node_id,
                   greatest(0, ln(total / b.count) / ln(total))
                   * CASE WHEN b.role = 0 THEN 1.0 / b.bearers WHEN s.role = 0 THEN 1.0 / b.count ELSE shared_name / b.count END AS weight,
                   CASE WHEN b.role = 0 THEN 'names "' WHEN s.role = 0 THEN 'is named "' ELSE 'also names "' END || b.name || '"' AS reason
            FROM bearer AS b
            CROSS JOIN LATERAL unnest(b.seeds, b.roles) AS s (seed, role)
            WHERE s.seed <> b.node_id
            UNION ALL
            SELECT s.node_id, e.node_id, edge_share * exp(least(e.potential - CASE e.rate WHEN 'episodic' THEN episodic ELSE semantic END, 0)), e.type
            FROM seed AS s
            CROSS JOIN LATERAL (VALUES ('episodic'), ('semantic')) AS r (rate)
            CROSS JOIN LATERAL (
                (SELECT o.target_id AS node_id, o.potential, o.rate, o.type FROM cognifold.graph_edge AS o
                 WHERE o.tenant_id = tenant AND o.source_id = s.node_id AND o.rate = r.rate AND o.faded_at IS NULL
                 ORDER BY o.potential DESC LIMIT fan_out)
                UNION ALL
                (SELECT i.source_id, i.potential, i.rate, i.type FROM cognifold.graph_edge AS i
                 WHERE i.tenant_id = tenant AND i.target_id = s.node_id AND i.rate = r.rate AND i.faded_at IS NULL
                 ORDER BY i.potential DESC LIMIT fan_out)
            ) AS e
            WHERE edge_share > 0
        ), tie AS (
            SELECT a.seed, a.node_id, least(1, sum(a.weight ORDER BY a.weight)) AS weight, max(a.reason COLLATE "C") AS reason
            FROM (SELECT a.*, row_number() OVER (PARTITION BY a.seed, a.node_id ORDER BY a.weight DESC, a.reason COLLATE "C") AS place FROM arc AS a) AS a
            GROUP BY a.seed, a.node_id
        ), reached AS (
            SELECT DISTINCT ON (t.node_id) t.node_id, share * s.strength * t.weight AS strength, array_append(s.way::uuid[], s.node_id)::text AS way, t.reason
            FROM tie AS t
            JOIN seed AS s ON s.node_id = t.seed
            WHERE t.weight > 0 AND t.node_id <> ALL (s.way::uuid[])
            ORDER BY t.node_id, share * s.strength * t.weight DESC, s.node_id
        )
        SELECT array_agg(r.node_id ORDER BY r.node_id), array_agg(r.strength ORDER BY r.node_id), array_agg(r.way ORDER BY r.node_id), array_agg(r.reason ORDER BY r.node_id)
        INTO front, force, ways, because
        FROM reached AS r;
        EXIT WHEN front IS NULL;
        found := found || front;
        found_force := found_force || force;
        found_ways := found_ways || ways;
        reasons := reasons || because;
    END LOOP;

    RETURN QUERY
    SELECT f.node_id, f.strength, f.way::uuid[], f.reason
    FROM (SELECT DISTINCT ON (u.node_id) u.node_id, u.strength, u.way, u.reason
          FROM unnest(found, found_force, found_ways, reasons) AS u (node_id, strength, way, reason)
          ORDER BY u.node_id, u.strength DESC) AS f
    CROSS JOIN LATERAL (
        SELECT n.occurred_at FROM cognifold.node AS n
        WHERE n.tenant_id = tenant AND n.id = f.node_id AND n.kind = ANY ((narrow).kinds) AND n.merged_into IS NULL
          AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, narrow)
    ) AS n
    ORDER BY f.strength DESC, f.node_id;
END
$$;
COMMENT ON FUNCTION cognifold.spread(text, uuid[], double precision[], cognifold.narrowing, jsonb) IS
    'Spreading activation. Of the nodes given, the spread.seeds strongest pass spread.share of their strength on, and so do the strongest of those that it reaches, spread.hops times. To a node whose title the text names: times rarity / bearers; to one whose text names the title: times rarity / n; to one that names the same: times spread.shared_name * rarity / n; over a live edge, either way: times spread.edge * its weight. rarity = ln(N / n) / ln(N), n being the nodes with the name. What several names give between two nodes adds up, at most to 1; of several ways to a node the strongest counts: via are the nodes on it, reason its last step. The graph is the present one; as_of sets its weights. Internal: a stage of recall.';
