-- named_nodes: the stored nodes that a plan's operations name, as far as they are ids at all.
CREATE OR REPLACE FUNCTION cognifold.named_nodes(plan jsonb) RETURNS SETOF uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    SELECT DISTINCT m.name::uuid
    FROM jsonb_path_query(plan, 'lax $.operations[*]') AS o (body)
    CROSS JOIN LATERAL (
        SELECT unnest(ARRAY[o.body ->> 'source', o.body ->> 'target', o.body ->> 'node', o.body ->> 'survivor'])
        UNION ALL
        SELECT i.value #>> '{}' FROM jsonb_path_query(o.body, 'lax $.ids[*]') AS i (value)
        UNION ALL
        SELECT g.value #>> '{}' FROM jsonb_path_query(o.body, 'lax $.grounded_in[*]') AS g (value)
    ) AS m (name)
    WHERE cognifold.is_uuid(m.name)
$$;
COMMENT ON FUNCTION cognifold.named_nodes(jsonb) IS 'Ids in source, target, node, survivor, ids and grounded_in of a plan''s operations; refs of the plan''s own are left out. Internal.';
