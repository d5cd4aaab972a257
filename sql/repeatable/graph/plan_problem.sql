-- plan_problem: the first thing that is wrong with a plan, or NULL. Looks at everything and writes nothing.
CREATE OR REPLACE FUNCTION cognifold.plan_problem(tenant text, plan jsonb, proposer text DEFAULT 'user') RETURNS text
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    uuid_form CONSTANT text := '^[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$';
    time_form CONSTANT text := '^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*([+-]\d{2}(:?\d{2})?|Z)$';
    maximum   integer := cognifold.setting('plan.maximum_operations', tenant)::integer;
    problem   text;
BEGIN
    IF plan IS NULL OR jsonb_typeof(plan) <> 'object' OR coalesce(jsonb_typeof(plan -> 'operations'), 'missing') <> 'array' THEN
        RETURN 'the plan is not a JSON object with an array "operations"';
    ELSIF jsonb_array_length(plan -> 'operations') > maximum THEN
        RETURN format('the plan has %s operations; at most %s are allowed', jsonb_array_length(plan -> 'operations'), maximum);
    ELSIF plan ->> 'plan_id' !~ uuid_form THEN
        RETURN format('plan_id %L is not a uuid', plan ->> 'plan_id');
    ELSIF plan ->> 'trigger_event_id' IS NOT NULL THEN
        IF plan ->> 'trigger_event_id' !~ uuid_form OR NOT EXISTS (
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
               CASE WHEN r.name ~ uuid_form THEN cognifold.resolve_node(tenant, r.name::uuid) END AS stored_id
        FROM operation AS o
        CROSS JOIN LATERAL (
            SELECT 'source', o.body ->> 'source' WHERE o.op = 'ADD_EDGE'
            UNION ALL SELECT 'target', o.body ->> 'target' WHERE o.op = 'ADD_EDGE'
            UNION ALL SELECT 'node', o.body ->> 'node' WHERE o.op = 'UPDATE_NODE'
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
    ), fault AS (
        SELECT o.position, 'an operation must be a JSON object with "op"' AS reason
        FROM operation AS o WHERE jsonb_typeof(o.body) <> 'object' OR o.op IS NULL
        UNION ALL
        SELECT o.position, CASE WHEN o.op IN ('REMOVE_NODE', 'REMOVE_EDGE')
                                THEN 'this version applies ADD_NODE, ADD_EDGE, UPDATE_NODE and MERGE_NODES only'
                                ELSE format('op %L is not known; use ADD_NODE, ADD_EDGE, UPDATE_NODE or MERGE_NODES', o.op) END
        FROM operation AS o
        WHERE o.op NOT IN ('ADD_NODE', 'ADD_EDGE', 'UPDATE_NODE', 'MERGE_NODES') AND NOT (o.op = 'FADE_EDGES' AND proposer = 'consolidate')
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
        SELECT n.position, CASE WHEN n.kind = 'event' THEN 'an event never changes'
                                ELSE 'node must be stored already; give a new one its title in ADD_NODE' END
        FROM named AS n WHERE n.role = 'node' AND (n.kind = 'event' OR n.is_new)
        UNION ALL
        SELECT o.position, 'an update needs a title or a content that is not empty' FROM operation AS o
        WHERE o.op = 'UPDATE_NODE'
          AND (coalesce(o.body ->> 'title', o.body ->> 'content') IS NULL OR o.body ->> 'title' !~ '\S' OR o.body ->> 'content' !~ '\S')
        UNION ALL
        SELECT o.position, CASE WHEN o.body ->> 'kind' = 'event' THEN 'events enter by remember only'
                                ELSE format('kind %L is not concept, intent or time', o.body ->> 'kind') END
        FROM operation AS o
        WHERE o.op = 'ADD_NODE' AND (o.body ->> 'kind' IS NULL OR o.body ->> 'kind' NOT IN ('concept', 'intent', 'time'))
        UNION ALL
        SELECT o.position, 'a node needs a title' FROM operation AS o
        WHERE o.op = 'ADD_NODE' AND coalesce(o.body ->> 'title', '') !~ '\S'
        UNION ALL
        SELECT o.position, format('ref %L is not a short name of its own (a letter first, at most 63 bytes, no uuid)', o.body ->> 'ref')
        FROM operation AS o
        WHERE o.op = 'ADD_NODE' AND o.body ->> 'ref' IS NOT NULL
          AND (o.body ->> 'ref' !~ '^[[:alpha:]][^[:space:]]*$' OR octet_length(o.body ->> 'ref') > 63 OR o.body ->> 'ref' ~ uuid_form)
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
        WHERE o.op = 'ADD_NODE' AND o.body ->> 'memory_type' NOT IN ('episodic', 'semantic', 'procedural', 'associative')
        UNION ALL
        SELECT o.position, format('precision %L is not instant, day, month or year', o.body ->> 'precision') FROM operation AS o
        WHERE o.op = 'ADD_NODE' AND o.body ->> 'precision' NOT IN ('instant', 'day', 'month', 'year')
        UNION ALL
        SELECT o.position, format('%s needs provenance: name events or concepts in grounded_in',
                                  CASE o.body ->> 'kind' WHEN 'intent' THEN 'an intent' ELSE 'a concept' END)
        FROM operation AS o
        WHERE o.op = 'ADD_NODE' AND o.body ->> 'kind' IN ('concept', 'intent')
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
        SELECT o.position, format('edge type %L is not known', o.body ->> 'type') FROM operation AS o
        WHERE o.op = 'ADD_EDGE' AND NOT EXISTS (SELECT FROM cognifold.edge_type AS t WHERE t.type = o.body ->> 'type')
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
        SELECT o.position, format('weight %s is not a number in (0, 1]', o.body -> 'weight') FROM operation AS o
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
