-- add_nodes: writes the new nodes of a plan, with their content, their first state and the words they are found by.
CREATE OR REPLACE FUNCTION cognifold.add_nodes(tenant text, new_nodes jsonb, plan_id uuid, recorded timestamptz, settings jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    changes jsonb;
BEGIN
    WITH node_wanted AS MATERIALIZED (
        SELECT w.* FROM jsonb_to_recordset(new_nodes) AS w
            (id uuid, made boolean, kind text, title text, content text, reasoning text, memory_type text, privacy_level text, payload jsonb,
             occurred_at timestamptz, precision text, position integer)
        WHERE w.made
    ), node_made AS (
        INSERT INTO cognifold.node (
            tenant_id, id, kind, memory_type, title, occurred_at, occurred_precision, recorded_at, reasoning, privacy_level, plan_id)
        SELECT tenant, w.id, w.kind, coalesce(w.memory_type, 'semantic'), w.title, w.occurred_at, w.precision, recorded, w.reasoning,
               coalesce(w.privacy_level, 'private'), plan_id
        FROM node_wanted AS w
    ), content_made AS (
        INSERT INTO cognifold.node_content (tenant_id, node_id, content, payload)
        SELECT tenant, w.id, w.content, NULLIF(w.payload, 'null') FROM node_wanted AS w
    ), concept_made AS (
        INSERT INTO cognifold.concept_state (tenant_id, node_id, strength, evidence_count)
        SELECT tenant, w.id, (settings ->> 'concept.initial_strength')::double precision, 0 FROM node_wanted AS w WHERE w.kind = 'concept'
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object('relation', m.relation, 'node_id', w.id, 'before', NULL) ORDER BY w.position, m.place), '[]')
    INTO changes
    FROM node_wanted AS w
    CROSS JOIN LATERAL (
        SELECT 1 AS place, 'node' AS relation
        UNION ALL SELECT 2, 'concept_state' WHERE w.kind = 'concept'
        UNION ALL SELECT 2, 'intent_state' WHERE w.kind = 'intent'
    ) AS m;
    PERFORM cognifold.index_node(tenant, (c.value ->> 'node_id')::uuid, settings) FROM jsonb_array_elements(changes) AS c WHERE c.value ->> 'relation' = 'node';
    RETURN changes;
END
$$;
COMMENT ON FUNCTION cognifold.add_nodes(text, jsonb, uuid, timestamptz, jsonb) IS
    'Stores the nodes that place_nodes found to be new, and returns the journal entries. Internal: execute_plan calls it.';
