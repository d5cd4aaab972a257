-- learn_recalls: counts a batch of noted recalls, each once: uses add up, what is recalled wakes, what comes up together is tied.
--
-- A note leaves the log in the transaction that counts it, so neither a crash nor another counter makes it count twice or never.
CREATE OR REPLACE FUNCTION cognifold.learn_recalls(tenant text, maximum integer) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    nothing    CONSTANT jsonb := '{"recalls_counted": 0, "nodes_accessed": 0, "concepts_woken": 0, "pairs_linked": 0, "pairs_reinforced": 0, "plans": []}';
    settings   jsonb := cognifold.settings(tenant);
    step       double precision := (settings ->> 'learn.link_step')::double precision;
    needed     integer := (settings ->> 'learn.co_recalls')::integer;
    largest    integer := (settings ->> 'plan.maximum_operations')::integer;
    batch      record;
    operations jsonb;
    part       jsonb;
    plans      jsonb := '[]';
BEGIN
    -- No turn where there is nothing to count: what is noted from here on is for the next time.
    IF NOT EXISTS (SELECT FROM cognifold.recall_log AS l WHERE l.tenant_id = tenant LIMIT 1) THEN
        RETURN nothing;
    END IF;
    -- The graph first, as whoever changes it: then no two wait for each other.
    PERFORM cognifold.take_turn(tenant);
    WITH oldest AS MATERIALIZED (   -- chosen once: what is locked and limited must not be asked for again row by row
        SELECT o.log_id FROM cognifold.recall_log AS o
        -- A note that another transaction is dropping for its age is not waited for.
        WHERE o.tenant_id = tenant ORDER BY o.log_id LIMIT maximum FOR UPDATE SKIP LOCKED
    ), taken AS (
        DELETE FROM cognifold.recall_log AS l
        USING oldest
        WHERE l.tenant_id = tenant AND l.log_id = oldest.log_id
        RETURNING l.log_id, l.recalled_at, l.node_ids
    ), recalled AS MATERIALIZED (   -- by the ids they go by today; what is gone falls out
        SELECT t.log_id, t.recalled_at, k.id, k.kind, row_number() OVER (PARTITION BY t.log_id ORDER BY min(i.place)) AS place
        FROM taken AS t
        CROSS JOIN LATERAL unnest(t.node_ids) WITH ORDINALITY AS i (id, place)
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = i.id
        JOIN cognifold.node AS k ON k.tenant_id = tenant AND k.id = coalesce(n.merged_into, n.id)
        GROUP BY t.log_id, t.recalled_at, k.id, k.kind
    ), accessed AS (
        INSERT INTO cognifold.node_state AS s (tenant_id, node_id, access_count, last_accessed)
        SELECT tenant, r.id, count(*), max(r.recalled_at) FROM recalled AS r GROUP BY r.id ORDER BY r.id
        ON CONFLICT ON CONSTRAINT node_state_pkey DO UPDATE
            SET access_count = s.access_count + excluded.access_count, last_accessed = greatest(s.last_accessed, excluded.last_accessed),
                -- What rests, and is asked for as often as what never would, comes back with the next pass.
                due_at = CASE WHEN s.consolidation_state = 'archived'
                                   AND s.access_count + excluded.access_count >= (settings ->> 'consolidate.idle_accesses')::bigint
                              THEN excluded.last_accessed ELSE s.due_at END
    ), together AS MATERIALIZED (
        SELECT a.id AS one_id, b.id AS other_id, count(*)::integer AS recalls, max(a.recalled_at) AS recalled_at
        FROM recalled AS a
        JOIN recalled AS b ON b.log_id = a.log_id AND b.id > a.id
        WHERE greatest(a.place, b.place) <= (settings ->> 'learn.together')::integer
          -- A concept and what it rests on come up together anyway.
          AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                          WHERE g.tenant_id = tenant AND g.source_id = a.id AND g.target_id = b.id AND g.type IN ('grounds', 'reinforces'))
          AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                          WHERE g.tenant_id = tenant AND g.source_id = b.id AND g.target_id = a.id AND g.type IN ('grounds', 'reinforces'))
        GROUP BY a.id, b.id
    )
    SELECT (SELECT count(*) FROM taken) AS recalls, (SELECT max(t.recalled_at) FROM taken AS t) AS moment,
           ARRAY(SELECT DISTINCT r.id FROM recalled AS r ORDER BY 1) AS nodes,
           ARRAY(SELECT DISTINCT r.id FROM recalled AS r WHERE r.kind = 'concept' ORDER BY 1) AS concepts,
           coalesce((SELECT jsonb_agg(to_jsonb(t) ORDER BY t.one_id, t.other_id) FROM together AS t), '[]') AS pairs
    INTO batch;
    IF batch.recalls = 0 THEN
        RETURN nothing;
    END IF;

    -- Pairs: a live edge between the two is renewed by each recall; else they are counted till it is enough for one.
    DELETE FROM cognifold.co_recall AS c
    WHERE c.tenant_id = tenant AND c.recalled_at < batch.moment - make_interval(secs => 86400 * (settings ->> 'learn.pair_days')::double precision);
    WITH bar AS MATERIALIZED (
        SELECT b.rate, b.bar FROM cognifold.fading_bars(tenant, batch.moment) AS b
    ), pair AS MATERIALIZED (
        SELECT p.one_id, p.other_id, p.recalls, p.recalled_at, e.source_id, e.target_id
        FROM jsonb_to_recordset(batch.pairs) AS p (one_id uuid, other_id uuid, recalls integer, recalled_at timestamptz)
        LEFT JOIN LATERAL (
            SELECT g.source_id, g.target_id
            FROM (VALUES (p.one_id, p.other_id), (p.other_id, p.one_id)) AS w (source_id, target_id)
            JOIN cognifold.graph_edge AS g
              ON g.tenant_id = tenant AND g.source_id = w.source_id AND g.target_id = w.target_id AND g.type = 'related_to' AND g.faded_at IS NULL
            JOIN bar AS b ON b.rate = g.rate AND g.potential >= b.bar
            ORDER BY g.potential - b.bar DESC, g.source_id LIMIT 1
        ) AS e ON true
    ), counted AS (
        INSERT INTO cognifold.co_recall AS c (tenant_id, one_id, other_id, recalls, recalled_at)
        SELECT tenant, p.one_id, p.other_id, p.recalls, p.recalled_at FROM pair AS p WHERE p.source_id IS NULL
        ORDER BY p.one_id, p.other_id
        ON CONFLICT ON CONSTRAINT co_recall_pkey DO UPDATE
            SET recalls = c.recalls + excluded.recalls, recalled_at = greatest(c.recalled_at, excluded.recalled_at)
        RETURNING c.one_id, c.other_id, c.recalls
    )
    SELECT coalesce(jsonb_agg(o.operation ORDER BY o.place, o.source, o.target), '[]') INTO operations
    FROM (
        SELECT 1 AS place, d.concept AS source, d.concept AS target,
               jsonb_build_object('op', 'WAKE_NODE', 'node', d.concept, 'reasoning', 'dormant, and recalled') AS operation
        FROM cognifold.dormant_concepts(tenant, batch.concepts, batch.moment) AS d
        UNION ALL
        SELECT 2, c.other_id, c.one_id,   -- the later one points at the earlier, as where a fold relates them
               jsonb_build_object('op', 'ADD_EDGE', 'source', c.other_id, 'target', c.one_id, 'type', 'related_to', 'inferred', true,
                                  'bidirectional', true,
                                  'weight', least(1, (settings ->> 'learn.link')::double precision + step * (c.recalls - needed)),
                                  'reasoning', format('recalled together %s times', c.recalls))
        FROM counted AS c WHERE c.recalls >= needed
        UNION ALL
        SELECT 3, p.source_id, p.target_id,
               jsonb_build_object('op', 'ADD_EDGE', 'source', p.source_id, 'target', p.target_id, 'type', 'related_to', 'inferred', true,
                                  'weight', least(1, step * p.recalls),
                                  'reasoning', CASE p.recalls WHEN 1 THEN 'recalled together again'
                                                              ELSE format('recalled together %s times more', p.recalls) END)
        FROM pair AS p WHERE p.source_id IS NOT NULL
    ) AS o;
    DELETE FROM cognifold.co_recall AS c
    USING jsonb_to_recordset(operations) AS o (op text, source uuid, target uuid)
    WHERE o.op = 'ADD_EDGE' AND c.tenant_id = tenant AND c.one_id = least(o.source, o.target) AND c.other_id = greatest(o.source, o.target);

    FOR part IN
        SELECT jsonb_agg(o.value ORDER BY o.place) FROM jsonb_array_elements(operations) WITH ORDINALITY AS o (value, place)
        GROUP BY (o.place - 1) / largest ORDER BY (o.place - 1) / largest
    LOOP
        plans := plans || (cognifold.execute_plan(tenant, jsonb_build_object(
            'as_of', batch.moment, 'reasoning', 'accumulation: what is recalled wakes, what is recalled together is tied',
            'operations', part), 'consolidate', '{}', settings) -> 'plan_id');
    END LOOP;
    RETURN jsonb_build_object(
        'recalls_counted', batch.recalls, 'nodes_accessed', cardinality(batch.nodes),
        'concepts_woken', (SELECT count(*) FROM jsonb_array_elements(operations) AS o WHERE o.value ->> 'op' = 'WAKE_NODE'),
        'pairs_linked', (SELECT count(*) FROM jsonb_array_elements(operations) AS o WHERE o.value ? 'bidirectional'),
        'pairs_reinforced', (SELECT count(*) FROM jsonb_array_elements(operations) AS o WHERE o.value ->> 'op' = 'ADD_EDGE' AND NOT o.value ? 'bidirectional'),
        'plans', plans);
END
$$;
COMMENT ON FUNCTION cognifold.learn_recalls(text, integer) IS
    'Counts up to maximum of the oldest notes of recall_log and takes them out: access_count and last_accessed of what was recalled; dormant concepts among it wake; pairs among the first learn.together of a recall are tied by related_to once learn.co_recalls recalls had both (mass learn.link), and a live related_to edge between them gains learn.link_step with each. Graph changes are plans of consolidate, as of the latest of these recalls. Returns counts and plans. Internal: count_recalls and consolidate call it.';
