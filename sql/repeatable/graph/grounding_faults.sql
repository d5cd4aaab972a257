-- grounding_faults: which new nodes of a plan rest on nothing, and which share a ref.
CREATE OR REPLACE FUNCTION cognifold.grounding_faults(tenant text, operations jsonb)
RETURNS TABLE ("position" bigint, reason text)
LANGUAGE plpgsql STABLE ROWS 1
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH RECURSIVE new_node AS MATERIALIZED (
        SELECT o.ordinality - 1 AS position, o.value AS body, o.value ->> 'ref' AS ref, o.value ->> 'kind' AS kind
        FROM jsonb_array_elements(operations) WITH ORDINALITY AS o (value, ordinality) WHERE o.value ->> 'op' = 'ADD_NODE'
    ), named AS MATERIALIZED (
        SELECT m.position, m.role, m.kind, m.identity, m.is_new FROM cognifold.plan_mentions(grounding_faults.tenant, operations) AS m
    ), standing AS (               -- new nodes that rest on something stored, be it through other new ones
        SELECT n.position FROM named AS n WHERE n.role = 'grounded_in' AND n.kind IS NOT NULL AND NOT n.is_new
        UNION
        SELECT n.position FROM standing AS s
        JOIN new_node AS w ON w.position = s.position
        JOIN named AS n ON n.role = 'grounded_in' AND n.is_new AND n.identity = w.ref
    ), resting AS (                -- concepts and intents: do they name an event or concept at all?
        SELECT w.position, w.kind, w.body,
               EXISTS (SELECT FROM named AS n WHERE n.position = w.position AND n.role = 'grounded_in' AND n.kind IN ('event', 'concept')) AS is_grounded
        FROM new_node AS w WHERE w.kind IN ('concept', 'intent')
    )
    SELECT r.position, format('%s needs provenance: name events or concepts in grounded_in', CASE r.kind WHEN 'intent' THEN 'an intent' ELSE 'a concept' END)
    FROM resting AS r
    WHERE NOT r.is_grounded AND coalesce(jsonb_typeof(r.body -> 'grounded_in'), 'null') IN ('null', 'array')
      AND NOT EXISTS (SELECT FROM named AS n WHERE n.position = r.position AND n.kind IS NULL)
    UNION ALL
    SELECT r.position, 'it is grounded in nothing but itself and new nodes that are grounded in it'
    FROM resting AS r
    WHERE r.is_grounded AND NOT EXISTS (SELECT FROM standing AS s WHERE s.position = r.position) AND NOT EXISTS (SELECT FROM named AS n WHERE n.kind IS NULL)
    UNION ALL
    SELECT max(w.position), format('ref %L is used twice', w.ref) FROM new_node AS w WHERE w.ref IS NOT NULL GROUP BY w.ref HAVING count(*) > 1;
END
$$;
COMMENT ON FUNCTION cognifold.grounding_faults(text, jsonb) IS
    'Faults of new nodes together (position from 0, reason): without provenance, grounded in a ring, a ref used twice. Internal: plan_problem calls it for plans with ADD_NODE.';
