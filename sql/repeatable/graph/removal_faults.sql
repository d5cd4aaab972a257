-- removal_faults: what is wrong with the removals and merges of a plan, and with operations on what they take away.
CREATE OR REPLACE FUNCTION cognifold.removal_faults(tenant text, operations jsonb)
RETURNS TABLE ("position" bigint, reason text)
LANGUAGE plpgsql STABLE ROWS 1
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH named AS MATERIALIZED (
        SELECT m.position, m.op, m.body ->> 'type' AS type, m.role, m.name, m.kind, m.identity, m.is_new
        FROM cognifold.plan_mentions(removal_faults.tenant, operations) AS m
    ), removed AS MATERIALIZED (   -- nodes that the plan takes away, and by which operation first
        SELECT n.identity, min(n.position) AS position FROM named AS n
        WHERE n.op = 'REMOVE_NODE' AND n.role = 'node' AND n.kind <> 'event' AND NOT n.is_new
        GROUP BY n.identity
    ), edge AS MATERIALIZED (      -- edges that operations name, by the ids they stand for
        SELECT n.position, n.op, n.type, min(n.identity) FILTER (WHERE n.role = 'source') AS source,
               min(n.identity) FILTER (WHERE n.role = 'target') AS target, bool_or(n.is_new) AS is_new
        FROM named AS n WHERE n.role IN ('source', 'target')
        GROUP BY n.position, n.op, n.type
        HAVING bool_and(n.kind IS NOT NULL)
    )
    SELECT n.position, format('node %s is removed by operation %s', n.name, r.position)
    FROM named AS n JOIN removed AS r ON r.identity = n.identity AND NOT n.is_new
    WHERE n.position <> r.position
    UNION ALL
    SELECT n.position, CASE WHEN n.op = 'REMOVE_NODE' AND n.kind = 'event' THEN 'a plan removes no event'
                            WHEN n.op = 'REMOVE_NODE' THEN 'a node that the plan makes is not there to be removed'
                            WHEN n.is_new THEN 'a merge joins concepts that are stored already'
                            ELSE format('%s %s is of kind %s; only concepts are merged', n.role, n.name, n.kind) END
    FROM named AS n
    WHERE n.op = 'REMOVE_NODE' AND n.role = 'node' AND (n.kind = 'event' OR n.is_new)
       OR n.role IN ('ids', 'survivor') AND (n.is_new OR n.kind <> 'concept')
    UNION ALL
    SELECT e.position, 'there is no such edge' FROM edge AS e
    WHERE e.op = 'REMOVE_EDGE'
      AND (e.is_new OR NOT EXISTS (
          SELECT FROM cognifold.graph_edge AS g
          WHERE g.tenant_id = removal_faults.tenant AND g.source_id = e.source::uuid AND g.target_id = e.target::uuid AND g.type = e.type))
    UNION ALL
    SELECT max(e.position), 'the edge is removed twice' FROM edge AS e
    WHERE e.op = 'REMOVE_EDGE' GROUP BY e.source, e.target, e.type HAVING count(*) > 1
    UNION ALL
    SELECT e.position, format('removals come first: operation %s adds this edge; remove it before, or do not add it', a.position)
    FROM edge AS e
    JOIN edge AS a ON a.op = 'ADD_EDGE' AND a.source = e.source AND a.target = e.target AND a.type = e.type AND a.position < e.position
    WHERE e.op = 'REMOVE_EDGE'
    UNION ALL
    SELECT n.position, 'its ids are one and the same concept' FROM named AS n
    WHERE n.role = 'ids' GROUP BY n.position HAVING count(*) >= 2 AND count(DISTINCT n.identity) = 1 AND bool_and(n.kind IS NOT NULL)
    UNION ALL
    SELECT s.position, 'survivor must be one of the ids' FROM named AS s
    WHERE s.role = 'survivor' AND NOT EXISTS (SELECT FROM named AS n WHERE n.position = s.position AND n.role = 'ids' AND n.identity = s.identity);
END
$$;
COMMENT ON FUNCTION cognifold.removal_faults(text, jsonb) IS
    'Faults of removals and merges (position from 0, reason): what is not there to be removed or merged, removed twice, or used by another operation. Internal: plan_problem calls it for plans that remove or merge.';
