-- plan_problem: the first thing that is wrong with a plan, or NULL. Looks at everything and writes nothing.
CREATE OR REPLACE FUNCTION cognifold.plan_problem(tenant text, plan jsonb, proposer text DEFAULT 'user') RETURNS text
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    time_form CONSTANT text := '^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*([+-]\d{2}(:?\d{2})?|Z)$';
    -- What each operation may say. What is not listed is a slip of the pen, and would be lost without a word.
    fields    CONSTANT jsonb := '{
        "ADD_NODE": ["op", "reasoning", "grounded_in", "kind", "ref", "title", "content", "memory_type", "privacy_level", "payload", "occurred_at",
                     "precision", "annotations"],
        "ADD_EDGE": ["op", "reasoning", "grounded_in", "source", "target", "type", "weight", "inferred", "bidirectional", "metadata"],
        "UPDATE_NODE": ["op", "reasoning", "grounded_in", "node", "title", "content", "memory_type", "privacy_level", "payload", "annotations"],
        "MERGE_NODES": ["op", "reasoning", "grounded_in", "ids", "survivor"],
        "REMOVE_NODE": ["op", "reasoning", "grounded_in", "node"],
        "REMOVE_EDGE": ["op", "reasoning", "grounded_in", "source", "target", "type"]}';
    maximum   integer := cognifold.setting('plan.maximum_operations', tenant)::integer;
    problem   text;
BEGIN
    IF plan IS NULL OR jsonb_typeof(plan) <> 'object' OR coalesce(jsonb_typeof(plan -> 'operations'), 'missing') <> 'array' THEN
        RETURN 'the plan is not a JSON object with an array "operations"';
    ELSIF jsonb_array_length(plan -> 'operations') > maximum THEN
        RETURN format('the plan has %s operations; at most %s are allowed', jsonb_array_length(plan -> 'operations'), maximum);
    ELSIF EXISTS (SELECT FROM jsonb_object_keys(plan) AS k (name) WHERE k.name NOT IN ('plan_id', 'trigger_event_id', 'reasoning', 'operations')
                    AND NOT (k.name = 'as_of' AND proposer IN ('consolidate', 'intent'))) THEN
        RETURN format('a plan has no field %L; it has plan_id, trigger_event_id, reasoning and operations',
                      (SELECT min(k.name) FROM jsonb_object_keys(plan) AS k (name)
                       WHERE k.name NOT IN ('plan_id', 'trigger_event_id', 'reasoning', 'operations')));
    ELSIF jsonb_typeof(plan -> 'reasoning') NOT IN ('string', 'null') THEN
        RETURN 'reasoning of the plan is not a text';
    ELSIF NOT cognifold.is_uuid(plan ->> 'plan_id') THEN
        RETURN format('plan_id %L is not a uuid', plan ->> 'plan_id');
    ELSIF plan ->> 'trigger_event_id' IS NOT NULL THEN
        IF NOT cognifold.is_uuid(plan ->> 'trigger_event_id') OR NOT EXISTS (
            SELECT FROM cognifold.node AS n
            WHERE n.tenant_id = tenant AND n.kind = 'event' AND n.id = (plan ->> 'trigger_event_id')::uuid)
        THEN
            RETURN format('trigger_event_id %L is not an event of this tenant', plan ->> 'trigger_event_id');
        END IF;
    END IF;

    WITH RECURSIVE operation AS (
        SELECT o.ordinality - 1 AS position, o.value AS body, o.value ->> 'op' AS op
        FROM jsonb_array_elements(plan -> 'operations') WITH ORDINALITY AS o (value, ordinality)
    ), new_node AS (
        SELECT o.position, o.body ->> 'ref' AS ref, o.body ->> 'kind' AS kind FROM operation AS o WHERE o.op = 'ADD_NODE'
    ), mention AS MATERIALIZED (   -- every place where an operation names a node
        SELECT o.position, r.role, r.name,
               CASE WHEN cognifold.is_uuid(r.name) THEN cognifold.resolve_node(tenant, r.name::uuid) END AS stored_id
        FROM operation AS o
        CROSS JOIN LATERAL (
            SELECT 'source', o.body ->> 'source' WHERE o.op IN ('ADD_EDGE', 'REMOVE_EDGE')
            UNION ALL SELECT 'target', o.body ->> 'target' WHERE o.op IN ('ADD_EDGE', 'REMOVE_EDGE')
            UNION ALL SELECT 'node', o.body ->> 'node' WHERE o.op IN ('UPDATE_NODE', 'REMOVE_NODE')
            UNION ALL SELECT 'ids', i.name
                      FROM jsonb_array_elements_text(
                          CASE WHEN o.op = 'MERGE_NODES' AND jsonb_typeof(o.body -> 'ids') = 'array' THEN o.body -> 'ids' ELSE '[]' END) AS i (name)
            UNION ALL SELECT 'survivor', o.body ->> 'survivor' WHERE o.op = 'MERGE_NODES' AND o.body ->> 'survivor' IS NOT NULL
            UNION ALL SELECT 'grounded_in', g.name
                      FROM jsonb_array_elements_text(
                          CASE jsonb_typeof(o.body -> 'grounded_in') WHEN 'array' THEN o.body -> 'grounded_in' ELSE '[]' END) AS g (name)
        ) AS r (role, name)
    ), named AS MATERIALIZED (     -- and the node it means: one of the plan's own refs, or a stored one
        SELECT m.position, m.role, m.name, coalesce(w.kind, n.kind) AS kind, coalesce(w.ref, n.id::text) AS identity, w.ref IS NOT NULL AS is_new
        FROM mention AS m
        LEFT JOIN new_node AS w ON w.ref = m.name
        LEFT JOIN LATERAL (   -- LIMIT 1: by its key, never a hash of every node
            SELECT n.id, n.kind FROM cognifold.node AS n
            WHERE w.ref IS NULL AND n.tenant_id = tenant AND n.id = m.stored_id LIMIT 1
        ) AS n ON true
    ), standing AS (               -- new nodes that rest on something stored, be it through other new ones
        SELECT n.position FROM named AS n WHERE n.role = 'grounded_in' AND n.kind IS NOT NULL AND NOT n.is_new
        UNION
        SELECT n.position FROM standing AS s
        JOIN new_node AS w ON w.position = s.position
        JOIN named AS n ON n.role = 'grounded_in' AND n.is_new AND n.identity = w.ref
    ), removed AS (                -- nodes that the plan takes away, and by which operation first
        SELECT n.identity, min(n.position) AS position
        FROM named AS n JOIN operation AS o ON o.position = n.position AND o.op = 'REMOVE_NODE'
        WHERE n.role = 'node' AND n.kind <> 'event' AND NOT n.is_new
        GROUP BY n.identity
    ), edge_named AS (             -- edges that operations name, by the ids they stand for
        SELECT o.position, o.op, o.body ->> 'type' AS type, s.identity AS source, t.identity AS target, s.is_new OR t.is_new AS is_new
        FROM operation AS o
        JOIN named AS s ON s.position = o.position AND s.role = 'source' AND s.kind IS NOT NULL
        JOIN named AS t ON t.position = o.position AND t.role = 'target' AND t.kind IS NOT NULL
        WHERE o.op IN ('ADD_EDGE', 'REMOVE_EDGE')
    ), fault AS (
        SELECT o.position, 'an operation must be a JSON object with "op"' AS reason
        FROM operation AS o WHERE jsonb_typeof(o.body) <> 'object' OR o.op IS NULL
        UNION ALL
        SELECT o.position, format('op %L is not known; use ADD_NODE, ADD_EDGE, UPDATE_NODE, MERGE_NODES, REMOVE_NODE or REMOVE_EDGE', o.op)
        FROM operation AS o
        WHERE NOT fields ? o.op AND NOT (o.op = 'FADE_EDGES' AND proposer = 'consolidate')
        UNION ALL
        SELECT o.position, format('%s has no field %L; it has %s', o.op, min(k.name),
                                  (SELECT string_agg(f.name, ', ' ORDER BY f.ordinality)
                                   FROM jsonb_array_elements_text(fields -> o.op) WITH ORDINALITY AS f (name, ordinality) WHERE f.name <> 'op'))
        FROM operation AS o
        CROSS JOIN LATERAL jsonb_object_keys(CASE jsonb_typeof(o.body) WHEN 'object' THEN o.body ELSE '{}' END) AS k (name)
        WHERE fields ? o.op AND NOT fields -> o.op ? k.name
        GROUP BY o.position, o.op
        UNION ALL
        SELECT o.position, format('%s is not a text', f.name)
        FROM operation AS o
        CROSS JOIN (VALUES ('title'), ('content'), ('reasoning'), ('ref'), ('kind'), ('memory_type'), ('privacy_level'), ('occurred_at'),
                           ('precision'), ('source'), ('target'), ('type'), ('node'), ('survivor')) AS f (name)
        WHERE jsonb_typeof(o.body -> f.name) NOT IN ('string', 'null')
        UNION ALL
        SELECT o.position, 'grounded_in is not an array of node ids or refs' FROM operation AS o
        WHERE jsonb_typeof(o.body -> 'grounded_in') NOT IN ('array', 'null')
        UNION ALL
        SELECT n.position, format('node %s is removed by operation %s', n.name, r.position)
        FROM named AS n JOIN removed AS r ON r.identity = n.identity AND NOT n.is_new
        WHERE n.position <> r.position
        UNION ALL
        SELECT n.position, CASE n.kind WHEN 'event' THEN 'a plan removes no event' ELSE 'a node that the plan makes is not there to be removed' END
        FROM named AS n JOIN operation AS o ON o.position = n.position AND o.op = 'REMOVE_NODE'
        WHERE n.role = 'node' AND (n.kind = 'event' OR n.is_new)
        UNION ALL
        SELECT e.position, 'there is no such edge' FROM edge_named AS e
        WHERE e.op = 'REMOVE_EDGE'
          AND (e.is_new OR NOT EXISTS (
              SELECT FROM cognifold.graph_edge AS g
              WHERE g.tenant_id = tenant AND g.source_id = e.source::uuid AND g.target_id = e.target::uuid AND g.type = e.type))
        UNION ALL
        SELECT max(e.position), 'the edge is removed twice' FROM edge_named AS e
        WHERE e.op = 'REMOVE_EDGE' GROUP BY e.source, e.target, e.type HAVING count(*) > 1
        UNION ALL
        SELECT e.position, format('removals come first: operation %s adds this edge; remove it before, or do not add it', a.position)
        FROM edge_named AS e
        JOIN edge_named AS a ON a.op = 'ADD_EDGE' AND a.source = e.source AND a.target = e.target AND a.type = e.type AND a.position < e.position
        WHERE e.op = 'REMOVE_EDGE'
        UNION ALL
        SELECT o.position, 'a merge needs "ids", an array of two or more concepts' FROM operation AS o
        WHERE o.op = 'MERGE_NODES' AND CASE jsonb_typeof(o.body -> 'ids') WHEN 'array' THEN jsonb_array_length(o.body -> 'ids') < 2 ELSE true END
        UNION ALL
        SELECT n.position, CASE WHEN n.is_new THEN 'a merge joins concepts that are stored already'
                                ELSE format('%s %s is of kind %s; only concepts are merged', n.role, n.name, n.kind) END
        FROM named AS n WHERE n.role IN ('ids', 'survivor') AND (n.is_new OR n.kind <> 'concept')
        UNION ALL
        SELECT n.position, 'its ids are one and the same concept' FROM named AS n
        WHERE n.role = 'ids' GROUP BY n.position HAVING count(*) >= 2 AND count(DISTINCT n.identity) = 1 AND bool_and(n.kind IS NOT NULL)
        UNION ALL
        SELECT s.position, 'survivor must be one of the ids' FROM named AS s
        WHERE s.role = 'survivor' AND NOT EXISTS (SELECT FROM named AS n WHERE n.position = s.position AND n.role = 'ids' AND n.identity = s.identity)
        UNION ALL
        SELECT n.position, CASE WHEN n.kind = 'event' THEN 'an event never changes; what was learned about it goes into annotations'
                                ELSE 'node must be stored already; give a new one its title in ADD_NODE' END
        FROM named AS n JOIN operation AS o ON o.position = n.position AND o.op = 'UPDATE_NODE'
        WHERE n.role = 'node'
          AND (n.is_new OR n.kind = 'event' AND coalesce(o.body ->> 'title', o.body ->> 'content', o.body ->> 'memory_type',
                                                         o.body ->> 'privacy_level', o.body ->> 'payload') IS NOT NULL)
        UNION ALL
        SELECT o.position, 'an update needs a title, content, memory_type, privacy_level, payload or annotations, and no empty text' FROM operation AS o
        WHERE o.op = 'UPDATE_NODE'
          AND (coalesce(o.body ->> 'title', o.body ->> 'content', o.body ->> 'memory_type', o.body ->> 'privacy_level', o.body ->> 'payload',
                        NULLIF(o.body -> 'annotations', '{}') #>> '{}') IS NULL
               OR o.body ->> 'title' !~ '\S' OR o.body ->> 'content' !~ '\S')
        UNION ALL
        SELECT o.position, 'annotations is not a JSON object with names of 1 to 63 bytes' FROM operation AS o
        WHERE CASE jsonb_typeof(o.body -> 'annotations')
                  WHEN 'object' THEN EXISTS (SELECT FROM jsonb_object_keys(o.body -> 'annotations') AS k (name) WHERE octet_length(k.name) NOT BETWEEN 1 AND 63)
                  ELSE coalesce(jsonb_typeof(o.body -> 'annotations'), 'null') <> 'null' END
        UNION ALL
        SELECT o.position, format('privacy_level %L is not private, shared or public', o.body ->> 'privacy_level') FROM operation AS o
        WHERE o.body ->> 'privacy_level' NOT IN ('private', 'shared', 'public')
        UNION ALL
        SELECT o.position, CASE WHEN o.body ->> 'kind' = 'event' THEN 'events enter by remember only'
                                ELSE format('kind %L is not concept, intent or time', o.body ->> 'kind') END
        FROM operation AS o
        WHERE o.op = 'ADD_NODE' AND (o.body ->> 'kind' IS NULL OR o.body ->> 'kind' NOT IN ('concept', 'intent', 'time'))
        UNION ALL
        SELECT o.position, 'a node needs a title' FROM operation AS o
        WHERE o.op = 'ADD_NODE' AND coalesce(o.body ->> 'title', '') !~ '\S'
        UNION ALL
        SELECT o.position, format('a title has at most 300 characters; this one has %s', length(o.body ->> 'title')) FROM operation AS o
        WHERE length(o.body ->> 'title') > 300
        UNION ALL
        SELECT o.position, format('ref %L is not a short name of its own (a letter first, at most 63 bytes, no uuid)', left(o.body ->> 'ref', 100))
        FROM operation AS o
        WHERE o.op = 'ADD_NODE' AND o.body ->> 'ref' IS NOT NULL
          AND (o.body ->> 'ref' !~ '^[[:alpha:]][^[:space:]]*$' OR octet_length(o.body ->> 'ref') > 63 OR cognifold.is_uuid(o.body ->> 'ref'))
        UNION ALL
        SELECT max(w.position), format('ref %L is used twice', w.ref) FROM new_node AS w
        WHERE w.ref IS NOT NULL GROUP BY w.ref HAVING count(*) > 1
        UNION ALL
        SELECT o.position, 'a time node needs occurred_at with a time zone (ISO 8601)' FROM operation AS o
        WHERE o.op = 'ADD_NODE' AND o.body ->> 'kind' = 'time'
          AND coalesce(o.body ->> 'occurred_at', '') !~* time_form
        UNION ALL
        SELECT o.position, format('occurred_at %L is not a time with a time zone (ISO 8601)', o.body ->> 'occurred_at') FROM operation AS o
        WHERE o.op = 'ADD_NODE'
          AND CASE WHEN o.body ->> 'occurred_at' ~* time_form THEN NOT pg_input_is_valid(o.body ->> 'occurred_at', 'timestamptz')
                   ELSE o.body ->> 'occurred_at' IS NOT NULL AND o.body ->> 'kind' IS DISTINCT FROM 'time' END
        UNION ALL
        SELECT o.position, format('memory_type %L is not episodic, semantic, procedural or associative', o.body ->> 'memory_type')
        FROM operation AS o
        WHERE o.body ->> 'memory_type' NOT IN ('episodic', 'semantic', 'procedural', 'associative')
        UNION ALL
        SELECT o.position, format('precision %L is not instant, day, month or year', o.body ->> 'precision') FROM operation AS o
        WHERE o.op = 'ADD_NODE' AND o.body ->> 'precision' NOT IN ('instant', 'day', 'month', 'year')
        UNION ALL
        SELECT o.position, format('%s needs provenance: name events or concepts in grounded_in',
                                  CASE o.body ->> 'kind' WHEN 'intent' THEN 'an intent' ELSE 'a concept' END)
        FROM operation AS o
        WHERE o.op = 'ADD_NODE' AND o.body ->> 'kind' IN ('concept', 'intent')
          AND coalesce(jsonb_typeof(o.body -> 'grounded_in'), 'null') IN ('null', 'array')
          AND NOT EXISTS (SELECT FROM named AS n WHERE n.position = o.position AND n.role = 'grounded_in' AND n.kind IN ('event', 'concept'))
          AND NOT EXISTS (SELECT FROM named AS n WHERE n.position = o.position AND n.kind IS NULL)
        UNION ALL
        SELECT o.position, 'it is grounded in nothing but itself and new nodes that are grounded in it' FROM operation AS o
        WHERE o.op = 'ADD_NODE' AND o.body ->> 'kind' IN ('concept', 'intent')
          AND EXISTS (SELECT FROM named AS n WHERE n.position = o.position AND n.role = 'grounded_in' AND n.kind IN ('event', 'concept'))
          AND NOT EXISTS (SELECT FROM standing AS s WHERE s.position = o.position)
          AND NOT EXISTS (SELECT FROM named AS n WHERE n.kind IS NULL)
        UNION ALL
        SELECT n.position, format('%s %L is no node of this tenant and no ref of this plan', n.role, coalesce(n.name, 'NULL'))
        FROM named AS n WHERE n.kind IS NULL
        UNION ALL
        SELECT n.position, format('a node cannot be grounded in a node of kind %s', n.kind) FROM named AS n
        WHERE n.role = 'grounded_in' AND n.kind NOT IN ('event', 'concept')
        UNION ALL
        SELECT o.position, format('edge type %L is not known; types are %s', left(o.body ->> 'type', 100),
                                  (SELECT string_agg(t.type, ', ' ORDER BY t.type) FROM cognifold.edge_type AS t)) FROM operation AS o
        WHERE o.op IN ('ADD_EDGE', 'REMOVE_EDGE') AND NOT EXISTS (SELECT FROM cognifold.edge_type AS t WHERE t.type = o.body ->> 'type')
        UNION ALL
        SELECT o.position, format('%s cannot join %s -> %s; legal are: %s', o.body ->> 'type', s.kind, t.kind,
                                  (SELECT string_agg(l.source_kind || ' -> ' || l.target_kind, ', ' ORDER BY l.source_kind, l.target_kind)
                                   FROM cognifold.edge_legality AS l WHERE l.type = o.body ->> 'type'))
        FROM operation AS o
        JOIN named AS s ON s.position = o.position AND s.role = 'source'
        JOIN named AS t ON t.position = o.position AND t.role = 'target'
        WHERE o.op = 'ADD_EDGE' AND s.kind IS NOT NULL AND t.kind IS NOT NULL
          AND EXISTS (SELECT FROM cognifold.edge_type AS e WHERE e.type = o.body ->> 'type')
          AND NOT EXISTS (SELECT FROM cognifold.edge_legality AS l
                          WHERE l.type = o.body ->> 'type' AND l.source_kind = s.kind AND l.target_kind = t.kind)
        UNION ALL
        SELECT s.position, 'source and target are the same node'
        FROM named AS s JOIN named AS t ON t.position = s.position AND t.role = 'target'
        WHERE s.role = 'source' AND s.identity = t.identity
        UNION ALL
        SELECT o.position, format('weight %s is not a number in (0, 1]', left((o.body -> 'weight')::text, 100)) FROM operation AS o
        WHERE o.op = 'ADD_EDGE' AND coalesce(jsonb_typeof(o.body -> 'weight'), 'null') <> 'null'
          AND CASE jsonb_typeof(o.body -> 'weight') WHEN 'number' THEN (o.body ->> 'weight')::numeric NOT BETWEEN 1e-12 AND 1 ELSE true END
        UNION ALL
        SELECT o.position, f.name || ' is not true or false' FROM operation AS o CROSS JOIN (VALUES ('inferred'), ('bidirectional')) AS f (name)
        WHERE o.op = 'ADD_EDGE' AND coalesce(jsonb_typeof(o.body -> f.name), 'null') NOT IN ('null', 'boolean')
        UNION ALL
        SELECT o.position, 'metadata is not a JSON object' FROM operation AS o
        WHERE o.op = 'ADD_EDGE' AND coalesce(jsonb_typeof(o.body -> 'metadata'), 'null') NOT IN ('null', 'object')
    )
    SELECT format('operation %s (%s): %s', f.position, coalesce(o.op, '?'), f.reason) INTO problem
    FROM fault AS f JOIN operation AS o USING (position)
    ORDER BY f.position, f.reason
    LIMIT 1;
    RETURN problem;
END
$$;
COMMENT ON FUNCTION cognifold.plan_problem(text, jsonb, text) IS
    'Why a plan cannot be applied: the first faulty operation''s index (from 0) and the reason; NULL if there is none. Internal.';
