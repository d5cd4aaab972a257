-- operation_faults: what is wrong with the operations of a plan, each looked at by itself.
CREATE OR REPLACE FUNCTION cognifold.operation_faults(tenant text, operations jsonb, proposer text)
RETURNS TABLE ("position" bigint, reason text)
LANGUAGE plpgsql STABLE ROWS 1
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    time_form CONSTANT text := '^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*([+-]\d{2}(:?\d{2})?|Z)$';
    texts     CONSTANT text[] := '{title, content, reasoning, ref, kind, memory_type, privacy_level, occurred_at, precision, source, target, type, node, survivor, aspect, insight, insight_id, abstraction_level, what, due_at, status}';
BEGIN
    RETURN QUERY
    WITH operation AS (
        SELECT o.ordinality - 1 AS position, o.value AS body, o.value ->> 'op' AS op,
               -- What it may say. What is not listed is a slip of the pen, and would be lost without a word.
               CASE o.value ->> 'op'
                   WHEN 'ADD_NODE' THEN '{op, reasoning, grounded_in, kind, ref, title, content, memory_type, privacy_level, payload, occurred_at, precision, annotations}'
                   WHEN 'ADD_EDGE' THEN '{op, reasoning, grounded_in, source, target, type, weight, inferred, bidirectional, metadata}'
                   WHEN 'UPDATE_NODE' THEN '{op, reasoning, grounded_in, node, title, content, memory_type, privacy_level, payload, annotations}'
                   WHEN 'MERGE_NODES' THEN '{op, reasoning, grounded_in, ids, survivor}'
                   WHEN 'REMOVE_NODE' THEN '{op, reasoning, grounded_in, node}'
                   WHEN 'REMOVE_EDGE' THEN '{op, reasoning, grounded_in, source, target, type}'
                   WHEN 'ADD_INSIGHT' THEN '{op, reasoning, grounded_in, node, kind, aspect, insight, confidence, abstraction_level, figures}'
                   WHEN 'CLOSE_INSIGHT' THEN '{op, reasoning, grounded_in, insight_id}'
                   WHEN 'SET_ACTION' THEN '{op, reasoning, grounded_in, node, position, what, due_at, status}'
               END::text[] AS fields
        FROM jsonb_array_elements(operations) WITH ORDINALITY AS o (value, ordinality)
    ), named AS MATERIALIZED (
        SELECT m.* FROM cognifold.plan_mentions(operation_faults.tenant, operations) AS m
    ), edge AS (   -- both ends in one row
        SELECT n.position, n.op, n.body ->> 'type' AS type,
               max(n.kind) FILTER (WHERE n.role = 'source') AS source_kind, max(n.identity) FILTER (WHERE n.role = 'source') AS source,
               max(n.kind) FILTER (WHERE n.role = 'target') AS target_kind, max(n.identity) FILTER (WHERE n.role = 'target') AS target
        FROM named AS n WHERE n.role IN ('source', 'target')
        GROUP BY n.position, n.op, n.body ->> 'type'
    ), fault AS (   -- of several faults of one operation the first by its words
        SELECT o.position, LEAST(
            CASE WHEN jsonb_typeof(o.body) <> 'object' OR o.op IS NULL THEN 'an operation must be a JSON object with "op"' END,
            CASE WHEN o.fields IS NULL AND NOT (o.op IN ('FADE_EDGES', 'WAKE_NODE') AND operation_faults.proposer = 'consolidate')
                 THEN format('op %L is not known; use ADD_NODE, ADD_EDGE, UPDATE_NODE, MERGE_NODES, REMOVE_NODE or REMOVE_EDGE', o.op) END,
            CASE WHEN o.fields IS NOT NULL AND o.body - o.fields <> '{}'
                 THEN format('%s has no field %L; it has %s', o.op, (SELECT min(k.name) FROM jsonb_object_keys(o.body - o.fields) AS k (name)),
                             array_to_string(o.fields[2:], ', ')) END,
            CASE WHEN o.op IN ('ADD_INSIGHT', 'CLOSE_INSIGHT') THEN cognifold.insight_fault(operation_faults.tenant, o.body, operation_faults.proposer) END,
            CASE WHEN o.op = 'SET_ACTION' THEN cognifold.action_fault(operation_faults.tenant, o.body) END,
            (SELECT min(format('%s is not a text', f.name)) FROM unnest(texts) AS f (name)
             WHERE jsonb_typeof(o.body -> f.name) NOT IN ('string', 'null')),
            CASE WHEN jsonb_typeof(o.body -> 'grounded_in') NOT IN ('array', 'null') THEN 'grounded_in is not an array of node ids or refs' END,
            CASE WHEN o.op = 'MERGE_NODES' AND CASE jsonb_typeof(o.body -> 'ids') WHEN 'array' THEN jsonb_array_length(o.body -> 'ids') < 2 ELSE true END
                 THEN 'a merge needs "ids", an array of two or more concepts' END,
            CASE WHEN o.op = 'UPDATE_NODE'
                      AND (coalesce(o.body ->> 'title', o.body ->> 'content', o.body ->> 'memory_type', o.body ->> 'privacy_level', o.body ->> 'payload',
                                    NULLIF(o.body -> 'annotations', '{}') #>> '{}') IS NULL
                           OR o.body ->> 'title' !~ '\S' OR o.body ->> 'content' !~ '\S')
                 THEN 'an update needs a title, content, memory_type, privacy_level, payload or annotations, and no empty text' END,
            CASE WHEN CASE jsonb_typeof(o.body -> 'annotations')
                          WHEN 'object' THEN EXISTS (SELECT FROM jsonb_object_keys(o.body -> 'annotations') AS k (name) WHERE octet_length(k.name) NOT BETWEEN 1 AND 63)
                          ELSE coalesce(jsonb_typeof(o.body -> 'annotations'), 'null') <> 'null' END
                 THEN 'annotations is not a JSON object with names of 1 to 63 bytes' END,
            CASE WHEN o.body ->> 'privacy_level' NOT IN ('private', 'shared', 'public')
                 THEN format('privacy_level %L is not private, shared or public', o.body ->> 'privacy_level') END,
            CASE WHEN o.body ->> 'memory_type' NOT IN ('episodic', 'semantic', 'procedural', 'associative')
                 THEN format('memory_type %L is not episodic, semantic, procedural or associative', o.body ->> 'memory_type') END,
            CASE WHEN length(o.body ->> 'title') > 300
                 THEN format('a title has at most 300 characters; this one has %s', length(o.body ->> 'title')) END,
            CASE WHEN o.op = 'ADD_NODE' THEN LEAST(
                CASE WHEN o.body ->> 'kind' = 'event' THEN 'events enter by remember only'
                     WHEN o.body ->> 'kind' IS NULL OR o.body ->> 'kind' NOT IN ('concept', 'intent', 'time')
                     THEN format('kind %L is not concept, intent or time', o.body ->> 'kind') END,
                CASE WHEN coalesce(o.body ->> 'title', '') !~ '\S' THEN 'a node needs a title' END,
                CASE WHEN o.body ->> 'ref' !~ '^[[:alpha:]][^[:space:]]*$' OR octet_length(o.body ->> 'ref') > 63 OR cognifold.is_uuid(o.body ->> 'ref')
                     THEN format('ref %L is not a short name of its own (a letter first, at most 63 bytes, no uuid)', left(o.body ->> 'ref', 100)) END,
                CASE WHEN o.body ->> 'kind' = 'time' AND coalesce(o.body ->> 'occurred_at', '') !~* time_form
                     THEN 'a time node needs occurred_at with a time zone (ISO 8601)' END,
                CASE WHEN CASE WHEN o.body ->> 'occurred_at' ~* time_form THEN NOT pg_input_is_valid(o.body ->> 'occurred_at', 'timestamptz')
                               ELSE o.body ->> 'occurred_at' IS NOT NULL AND o.body ->> 'kind' IS DISTINCT FROM 'time' END
                     THEN format('occurred_at %L is not a time with a time zone (ISO 8601)', o.body ->> 'occurred_at') END,
                CASE WHEN o.body ->> 'precision' NOT IN ('instant', 'day', 'month', 'year')
                     THEN format('precision %L is not instant, day, month or year', o.body ->> 'precision') END) END,
            CASE WHEN o.op = 'ADD_EDGE' THEN LEAST(
                CASE WHEN coalesce(jsonb_typeof(o.body -> 'weight'), 'null') <> 'null'
                          AND CASE jsonb_typeof(o.body -> 'weight') WHEN 'number' THEN (o.body ->> 'weight')::numeric NOT BETWEEN 1e-12 AND 1 ELSE true END
                     THEN format('weight %s is not a number in (0, 1]', left((o.body -> 'weight')::text, 100)) END,
                CASE WHEN jsonb_typeof(o.body -> 'inferred') NOT IN ('null', 'boolean') THEN 'inferred is not true or false' END,
                CASE WHEN jsonb_typeof(o.body -> 'bidirectional') NOT IN ('null', 'boolean') THEN 'bidirectional is not true or false' END,
                CASE WHEN jsonb_typeof(o.body -> 'metadata') NOT IN ('null', 'object') THEN 'metadata is not a JSON object' END,
                CASE WHEN o.body ->> 'type' = 'deadline_for' AND jsonb_typeof(o.body -> 'metadata') = 'object' AND o.body -> 'metadata' ? 'recurrence'
                     THEN 'recurrence: ' || cognifold.recurrence_fault(o.body -> 'metadata' ->> 'recurrence') END) END
        ) AS reason
        FROM operation AS o
        UNION ALL
        SELECT n.position, LEAST(
            CASE WHEN n.kind IS NULL THEN format('%s %L is no node of this tenant and no ref of this plan', n.role, coalesce(n.name, 'NULL')) END,
            CASE WHEN n.role = 'grounded_in' AND n.kind NOT IN ('event', 'concept') THEN format('a node cannot be grounded in a node of kind %s', n.kind) END,
            CASE WHEN n.op = 'UPDATE_NODE' AND n.role = 'node' AND n.is_new THEN 'node must be stored already; give a new one its title in ADD_NODE'
                 WHEN n.op = 'UPDATE_NODE' AND n.role = 'node' AND n.kind = 'event'
                      AND coalesce(n.body ->> 'title', n.body ->> 'content', n.body ->> 'memory_type', n.body ->> 'privacy_level', n.body ->> 'payload') IS NOT NULL
                 THEN 'an event never changes; what was learned about it goes into annotations' END)
        FROM named AS n
        UNION ALL
        SELECT n.position, CASE WHEN n.is_new THEN 'an insight is about a concept that is stored already'
                                WHEN n.kind <> 'concept' THEN format('an insight is about a concept, and %s is of kind %s', n.name, n.kind) END
        FROM named AS n WHERE n.op = 'ADD_INSIGHT' AND n.role = 'node'
        UNION ALL
        SELECT n.position, CASE WHEN n.kind <> 'intent' THEN format('a step belongs to an intent, and %s is of kind %s', n.name, n.kind) END
        FROM named AS n WHERE n.op = 'SET_ACTION' AND n.role = 'node'
        UNION ALL
        SELECT max(o.position), 'the plan sets the same step twice' FROM operation AS o
        WHERE o.op = 'SET_ACTION' AND jsonb_typeof(o.body -> 'position') = 'number'
        GROUP BY o.body ->> 'node', o.body ->> 'position' HAVING count(*) > 1
        UNION ALL
        SELECT max(o.position), 'the plan states or closes the same insight twice' FROM operation AS o
        WHERE o.op IN ('ADD_INSIGHT', 'CLOSE_INSIGHT')
        GROUP BY o.op, o.body ->> 'node', o.body ->> 'kind', o.body ->> 'aspect', o.body ->> 'insight_id' HAVING count(*) > 1
        UNION ALL
        SELECT e.position, LEAST(
            CASE WHEN NOT t.is_known THEN format('edge type %L is not known; types are %s', left(e.type, 100),
                                                 (SELECT string_agg(t.type, ', ' ORDER BY t.type) FROM cognifold.edge_type AS t)) END,
            CASE WHEN e.op = 'ADD_EDGE' AND t.is_known AND e.source_kind IS NOT NULL AND e.target_kind IS NOT NULL
                      AND NOT EXISTS (SELECT FROM cognifold.edge_legality AS l
                                      WHERE l.type = e.type AND l.source_kind = e.source_kind AND l.target_kind = e.target_kind)
                 THEN format('%s cannot join %s -> %s; legal are: %s', e.type, e.source_kind, e.target_kind,
                             (SELECT string_agg(l.source_kind || ' -> ' || l.target_kind, ', ' ORDER BY l.source_kind, l.target_kind)
                              FROM cognifold.edge_legality AS l WHERE l.type = e.type)) END,
            CASE WHEN e.source = e.target THEN 'source and target are the same node' END)
        FROM edge AS e
        CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM cognifold.edge_type AS t WHERE t.type = e.type) AS is_known OFFSET 0) AS t
    )
    SELECT f.position, f.reason FROM fault AS f WHERE f.reason IS NOT NULL;
END
$$;
COMMENT ON FUNCTION cognifold.operation_faults(text, jsonb, text) IS
    'Faults of single operations (position from 0, reason): fields, forms, ranges, names that mean nothing, edges that are not legal. Internal: plan_problem calls it.';
