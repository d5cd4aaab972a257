-- place_edges: the edges a plan states and those that grounded_in implies, one a key, with what each adds and what was there.
CREATE OR REPLACE FUNCTION cognifold.place_edges(
    tenant text, operations jsonb, new_nodes jsonb, proposer text, trigger_time timestamptz, clock timestamptz, settings jsonb,
    is_linking boolean DEFAULT false
) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    refs jsonb;  -- of new nodes, to their ids
    told double precision;  -- how much was forgotten by the event that tells of most edges
BEGIN
    IF is_linking THEN   -- from events, each stated once, by their own ids: what most folds do, in a third of the steps
        told := cognifold.decay_integral(place_edges.tenant, 'episodic', place_edges.trigger_time);
        RETURN (
            SELECT coalesce(jsonb_agg(jsonb_build_object(
                       'position', o.position - 1, 'source_id', s.id, 'target_id', t.id, 'type', y.type, 'source_kind', s.kind,
                       'target_kind', t.kind, 'rate', 'episodic', 'stamp', s.occurred_at, 'inferred', false, 'bidirectional', false,
                       'metadata', NULL, 'existed', e.potential IS NOT NULL, 'was_inferred', coalesce(e.inferred, true),
                       'before', CASE WHEN e.potential IS NOT NULL THEN to_jsonb(e) - 'tenant_id' END,
                       'potential', ln(CASE WHEN e.potential IS NULL THEN coalesce(o.weight, y.default_weight)
                                            ELSE (place_edges.settings ->> 'edge.reinforcement')::double precision END)
                                    + CASE WHEN s.occurred_at = place_edges.trigger_time THEN told
                                           ELSE cognifold.decay_integral(place_edges.tenant, 'episodic', s.occurred_at) END)
                       ORDER BY o.position), '[]')
            -- (Their ids as columns: row-level security keeps a function that may leak out of an index condition.)
            FROM ROWS FROM (jsonb_to_recordset(place_edges.operations) AS (op text, source uuid, target uuid, type text, weight double precision))
                 WITH ORDINALITY AS o (op, source, target, type, weight, position)
            JOIN cognifold.node AS s ON s.tenant_id = place_edges.tenant AND s.id = o.source
            JOIN cognifold.node AS t ON t.tenant_id = place_edges.tenant AND t.id = o.target
            JOIN cognifold.edge_type AS y ON y.type = o.type
            LEFT JOIN cognifold.graph_edge AS e
                   ON e.tenant_id = place_edges.tenant AND e.source_id = s.id AND e.target_id = t.id AND e.type = y.type
            WHERE o.op = 'ADD_EDGE');
    END IF;
    IF place_edges.new_nodes <> '[]' THEN
        SELECT jsonb_object_agg(w.ref, w.id) INTO refs
        FROM jsonb_to_recordset(place_edges.new_nodes) AS w (ref text, id uuid) WHERE w.ref IS NOT NULL;
    END IF;
    RETURN (
        WITH operation AS (
            SELECT a.ordinality - 1 AS position, a.value AS body
            FROM jsonb_array_elements(place_edges.operations) WITH ORDINALITY AS a (value, ordinality)
        ), claim AS (   -- names as the plan says them
            SELECT o.position, o.body ->> 'source' AS source, o.body ->> 'target' AS target, o.body ->> 'type' AS type,
                   (o.body ->> 'weight')::double precision AS weight, coalesce((o.body ->> 'inferred')::boolean, false) AS inferred,
                   coalesce((o.body ->> 'bidirectional')::boolean, false) AS bidirectional, NULLIF(o.body -> 'metadata', 'null') AS metadata,
                   false AS is_repeated
            FROM operation AS o WHERE o.body ->> 'op' = 'ADD_EDGE'
            UNION ALL
            SELECT w.position, g.name, w.id::text, NULL, NULL, false, false, NULL, w.repeats IS NOT NULL
            FROM jsonb_to_recordset(place_edges.new_nodes) AS w (id uuid, kind text, repeats uuid, position bigint, grounded_in jsonb)
            CROSS JOIN LATERAL jsonb_array_elements_text(w.grounded_in) AS g (name)
            WHERE w.kind IN ('concept', 'intent')
        ), resolved AS MATERIALIZED (
            SELECT c.position, c.weight, c.inferred, c.bidirectional, c.metadata, c.type, c.is_repeated,
                   coalesce((refs ->> c.source)::uuid, CASE WHEN cognifold.is_uuid(c.source) THEN c.source::uuid END) AS source_id,
                   coalesce((refs ->> c.target)::uuid, CASE WHEN cognifold.is_uuid(c.target) THEN c.target::uuid END) AS target_id
            FROM claim AS c
        ), typed AS (
            SELECT r.position, r.weight, r.inferred, r.bidirectional, r.metadata,
                   -- What grounded_in implies depends on the two kinds; a new concept points at the one it came from.
                   coalesce(r.type, CASE WHEN s.kind = 'concept' AND t.kind = 'intent' THEN 'triggers'
                                         WHEN s.kind = 'concept' THEN 'derived_from'
                                         WHEN t.kind = 'concept' AND r.is_repeated THEN 'reinforces'
                                         ELSE 'grounds' END) AS type,
                   CASE WHEN r.type IS NULL AND s.kind = 'concept' AND t.kind = 'concept' THEN t.id ELSE s.id END AS source_id,
                   CASE WHEN r.type IS NULL AND s.kind = 'concept' AND t.kind = 'concept' THEN s.id ELSE t.id END AS target_id,
                   s.kind AS source_kind, t.kind AS target_kind,
                   CASE s.kind WHEN 'event' THEN 'episodic' ELSE 'semantic' END AS rate,
                   -- What an event states is of its time; what is inferred about it is of the time it was inferred.
                   CASE WHEN s.kind = 'event' AND NOT (r.inferred AND place_edges.proposer = 'consolidate') THEN s.occurred_at
                        ELSE coalesce(place_edges.trigger_time, place_edges.clock) END AS stamp
            FROM resolved AS r
            -- LIMIT 1: each is looked up by its key, where a join would let the planner hash every node of the tenant. An id that was
            -- merged stands for the survivor, a concept as it was.
            CROSS JOIN LATERAL (
                SELECT coalesce(n.merged_into, n.id) AS id, n.kind, n.occurred_at
                FROM cognifold.node AS n WHERE n.tenant_id = place_edges.tenant AND n.id = r.source_id LIMIT 1
            ) AS s
            CROSS JOIN LATERAL (
                SELECT coalesce(n.merged_into, n.id) AS id, n.kind
                FROM cognifold.node AS n WHERE n.tenant_id = place_edges.tenant AND n.id = r.target_id LIMIT 1
            ) AS t
            WHERE s.id <> t.id
        ), one_a_key AS (
            SELECT DISTINCT ON (y.source_id, y.target_id, y.type)
                   y.*, bool_and(y.inferred) OVER same_edge AS only_inferred, bool_or(y.bidirectional) OVER same_edge AS both_ways,
                   array_agg(y.metadata) OVER (same_edge ORDER BY y.position ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS told
            FROM typed AS y
            WINDOW same_edge AS (PARTITION BY y.source_id, y.target_id, y.type)
            ORDER BY y.source_id, y.target_id, y.type, y.weight DESC NULLS LAST, y.position
        ), faded AS MATERIALIZED (   -- how much was forgotten by then: of many edges of one moment once
            SELECT s.rate, s.stamp, cognifold.decay_integral(place_edges.tenant, s.rate, s.stamp) AS integral
            FROM (SELECT DISTINCT k.rate, k.stamp FROM one_a_key AS k) AS s
        )
        SELECT coalesce(jsonb_agg(jsonb_build_object(
                   'position', k.position, 'source_id', k.source_id, 'target_id', k.target_id, 'type', k.type, 'source_kind', k.source_kind,
                   'target_kind', k.target_kind, 'rate', k.rate, 'stamp', k.stamp, 'inferred', k.only_inferred, 'bidirectional', k.both_ways,
                   'metadata', (SELECT jsonb_object_agg(f.key, f.value ORDER BY m.place)
                                FROM unnest(k.told) WITH ORDINALITY AS m (object, place) CROSS JOIN LATERAL jsonb_each(m.object) AS f),
                   'existed', e.potential IS NOT NULL, 'was_inferred', coalesce(e.inferred, true),
                   'before', CASE WHEN e.potential IS NOT NULL THEN to_jsonb(e) - 'tenant_id' END,
                   'potential', ln(CASE WHEN e.potential IS NULL THEN coalesce(k.weight, t.default_weight)
                                        WHEN place_edges.proposer = 'consolidate' THEN coalesce(k.weight, t.default_weight)  -- what it adds, it says
                                        ELSE (place_edges.settings ->> 'edge.reinforcement')::double precision END)
                                + d.integral)
                   ORDER BY k.position, k.source_id, k.target_id, k.type), '[]')
        FROM one_a_key AS k
        JOIN faded AS d ON d.rate = k.rate AND d.stamp = k.stamp
        JOIN cognifold.edge_type AS t ON t.type = k.type
        LEFT JOIN cognifold.graph_edge AS e
               ON e.tenant_id = place_edges.tenant AND e.source_id = k.source_id AND e.target_id = k.target_id AND e.type = k.type);
END
$$;
COMMENT ON FUNCTION cognifold.place_edges(text, jsonb, jsonb, text, timestamptz, timestamptz, jsonb, boolean) IS
    'One object for each edge to add or reinforce: its key and kinds, the potential it adds (a stated weight before a default; setting edge.reinforcement where it is there already, but for a pass, which says what it adds), existed, was_inferred and before, the row as it is. is_linking: edges from events alone, each once, by ids of nodes that are not merged. Internal: execute_plan calls it.';
