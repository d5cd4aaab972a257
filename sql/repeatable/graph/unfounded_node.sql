-- unfounded_node: a concept or intent that some removed edges leave without any stated provenance, if there is one.
CREATE OR REPLACE FUNCTION cognifold.unfounded_node(tenant text, removed jsonb) RETURNS uuid
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN (
        WITH shaken AS MATERIALIZED (   -- first the few, then the walk: it costs more than a look at a key
            SELECT DISTINCT n.id
            FROM jsonb_to_recordset(removed) AS i (relation text, node_id uuid, other_id uuid, part text, before jsonb)
            CROSS JOIN LATERAL (
                SELECT n.id FROM cognifold.node AS n
                WHERE n.tenant_id = unfounded_node.tenant AND n.id = CASE i.part WHEN 'derived_from' THEN i.node_id ELSE i.other_id END
                  AND n.kind IN ('concept', 'intent') AND n.merged_into IS NULL
                LIMIT 1
            ) AS n
            WHERE i.relation = 'graph_edge' AND i.part IN ('grounds', 'reinforces', 'triggers', 'part_of', 'derived_from')
              AND NOT (i.before ->> 'inferred')::boolean
        )
        SELECT s.id FROM shaken AS s WHERE NOT cognifold.has_provenance(unfounded_node.tenant, s.id) ORDER BY s.id LIMIT 1);
END
$$;
COMMENT ON FUNCTION cognifold.unfounded_node(text, jsonb) IS
    'Of the nodes that rested on removed edges (journal entries) one that rests on nothing stated any more, or NULL. Internal: execute_plan refuses a plan that leaves one.';
