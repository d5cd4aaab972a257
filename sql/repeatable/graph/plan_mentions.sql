-- plan_mentions: every place where an operation of a plan names a node, and the node that is meant there.
CREATE OR REPLACE FUNCTION cognifold.plan_mentions(tenant text, operations jsonb)
RETURNS TABLE ("position" bigint, body jsonb, op text, role text, name text, kind text, identity text, is_new boolean)
LANGUAGE sql STABLE ROWS 20
SET search_path FROM CURRENT
AS $$
    WITH operation AS MATERIALIZED (
        SELECT o.ordinality - 1 AS position, o.value AS body, o.value ->> 'op' AS op
        FROM jsonb_array_elements(operations) WITH ORDINALITY AS o (value, ordinality)
    ), new_node AS MATERIALIZED (
        SELECT o.body ->> 'ref' AS ref, o.body ->> 'kind' AS kind FROM operation AS o WHERE o.op = 'ADD_NODE' AND o.body ->> 'ref' IS NOT NULL
    )
    SELECT o.position, o.body, o.op, m.role, m.name, coalesce(w.kind, n.kind), coalesce(w.ref, n.id::text), w.ref IS NOT NULL
    FROM operation AS o
    CROSS JOIN LATERAL (
        SELECT 'source' AS role, o.body ->> 'source' AS name WHERE o.op IN ('ADD_EDGE', 'REMOVE_EDGE')
        UNION ALL SELECT 'target', o.body ->> 'target' WHERE o.op IN ('ADD_EDGE', 'REMOVE_EDGE')
        UNION ALL SELECT 'node', o.body ->> 'node' WHERE o.op IN ('UPDATE_NODE', 'REMOVE_NODE', 'SET_ACTION') OR o.op = 'ADD_INSIGHT' AND o.body ->> 'node' IS NOT NULL
        UNION ALL SELECT 'ids', i.name
                  FROM jsonb_array_elements_text(
                      CASE WHEN o.op = 'MERGE_NODES' AND jsonb_typeof(o.body -> 'ids') = 'array' THEN o.body -> 'ids' ELSE '[]' END) AS i (name)
        UNION ALL SELECT 'survivor', o.body ->> 'survivor' WHERE o.op = 'MERGE_NODES' AND o.body ->> 'survivor' IS NOT NULL
        UNION ALL SELECT 'grounded_in', g.name
                  FROM jsonb_array_elements_text(
                      CASE jsonb_typeof(o.body -> 'grounded_in') WHEN 'array' THEN o.body -> 'grounded_in' ELSE '[]' END) AS g (name)
    ) AS m
    LEFT JOIN new_node AS w ON w.ref = m.name
    LEFT JOIN LATERAL (   -- LIMIT 1: by its key, never a hash of every node. A merge joins concepts, so the kind is the survivor's, too.
        SELECT coalesce(n.merged_into, n.id) AS id, n.kind FROM cognifold.node AS n
        WHERE n.tenant_id = plan_mentions.tenant AND n.id = CASE WHEN w.ref IS NULL AND cognifold.is_uuid(m.name) THEN m.name::uuid END
        LIMIT 1
    ) AS n ON true
$$;
COMMENT ON FUNCTION cognifold.plan_mentions(text, jsonb) IS
    'One row for each node that an operation names: where (position from 0, the operation itself, role: its field), how (name), and what that is: kind, identity (a ref of the plan''s own, is_new, or the id the node goes by today); kind and identity are NULL for a name that means nothing. Internal.';
