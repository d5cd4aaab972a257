-- remove_rows: what REMOVE_EDGE and REMOVE_NODE do: edges and nodes are deleted, with all that is theirs, and kept in the journal.
CREATE OR REPLACE FUNCTION cognifold.remove_rows(tenant text, operations jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    gone    uuid[];  -- nodes, and with them those that were merged into them
    edges   jsonb;   -- keys of edges removed by themselves
    images  jsonb;
    shaken  uuid[];  -- concepts that stay and lose stated evidence
    kept    jsonb;
BEGIN
    WITH named AS (
        SELECT cognifold.resolve_node(tenant, (o.body ->> 'node')::uuid) AS id
        FROM jsonb_array_elements(operations) AS o (body) WHERE o.body ->> 'op' = 'REMOVE_NODE'
    )
    SELECT array_agg(n.id ORDER BY n.id) INTO gone
    FROM (SELECT d.id FROM named AS d
          UNION
          SELECT n.id FROM named AS d JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.merged_into = d.id) AS n;
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'relation', 'graph_edge', 'node_id', cognifold.resolve_node(tenant, (o.body ->> 'source')::uuid),
               'other_id', cognifold.resolve_node(tenant, (o.body ->> 'target')::uuid), 'part', o.body ->> 'type') ORDER BY o.position), '[]')
    INTO edges
    FROM jsonb_array_elements(operations) WITH ORDINALITY AS o (body, position) WHERE o.body ->> 'op' = 'REMOVE_EDGE';
    images := cognifold.row_images(tenant, CASE WHEN gone IS NULL THEN '[]' ELSE cognifold.node_keys(tenant, gone) END || edges);

    SELECT array_agg(DISTINCT i.other_id), jsonb_agg(DISTINCT jsonb_build_object('relation', 'concept_state', 'node_id', i.other_id))
    INTO shaken, kept
    FROM jsonb_to_recordset(images) AS i (relation text, node_id uuid, other_id uuid, part text, before jsonb)
    JOIN cognifold.concept_state AS s ON s.tenant_id = tenant AND s.node_id = i.other_id
    WHERE i.relation = 'graph_edge' AND i.part IN ('grounds', 'reinforces') AND NOT (i.before ->> 'inferred')::boolean
      AND (gone IS NULL OR i.other_id <> ALL (gone));
    IF kept IS NOT NULL THEN
        images := images || cognifold.row_images(tenant, kept);
    END IF;

    DELETE FROM cognifold.graph_edge AS e USING jsonb_to_recordset(edges) AS k (node_id uuid, other_id uuid, part text)
    WHERE e.tenant_id = tenant AND e.source_id = k.node_id AND e.target_id = k.other_id AND e.type = k.part;
    DELETE FROM cognifold.insight_state AS i USING jsonb_to_recordset(images) AS k (relation text, node_id uuid)
    WHERE k.relation = 'insight_state' AND i.tenant_id = tenant AND i.insight_id = k.node_id;
    DELETE FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = ANY (gone);
    PERFORM cognifold.refresh_concept(tenant, s.id) FROM unnest(shaken) AS s (id);
    RETURN images;
END
$$;
COMMENT ON FUNCTION cognifold.remove_rows(text, jsonb) IS
    'Carries out the REMOVE_EDGE and REMOVE_NODE of checked operations and returns the journal entries. A concept that loses evidence keeps its strength and count, which are history; its mass, vector and words are made anew. Internal: execute_plan calls it.';
