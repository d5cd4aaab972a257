-- whole_plans: operations in as many plans as it takes, none too long, and no new node apart from what names it.
CREATE OR REPLACE FUNCTION cognifold.whole_plans(operations jsonb, maximum integer) RETURNS TABLE (part jsonb)
LANGUAGE sql IMMUTABLE ROWS 2
SET search_path FROM CURRENT
AS $$
    WITH operation AS (   -- a group is an ADD_NODE and what names its ref right after it, or one other operation
        SELECT o.body, o.place,
               max(CASE WHEN o.body ->> 'op' = 'ADD_NODE'
                             OR NOT EXISTS (SELECT FROM (VALUES (o.body ->> 'source'), (o.body ->> 'target'), (o.body ->> 'node')) AS n (name)
                                            WHERE n.name IS NOT NULL AND NOT cognifold.is_uuid(n.name)) THEN o.place END)
                   OVER (ORDER BY o.place) AS begins
        FROM jsonb_array_elements(operations) WITH ORDINALITY AS o (body, place)
    ), measured AS (
        SELECT o.*, max(o.place - o.begins) OVER () AS longest FROM operation AS o
    )
    SELECT jsonb_agg(m.body ORDER BY m.place)
    FROM measured AS m
    GROUP BY (m.begins - 1) / greatest(maximum - m.longest, 1)
    ORDER BY min(m.place)
$$;
COMMENT ON FUNCTION cognifold.whole_plans(jsonb, integer) IS
    'Operations as arrays of at most maximum each, in order; a new node and the operations right after it that name it by its ref stay together. No row for an empty array. Internal.';
