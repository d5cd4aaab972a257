-- note_insights: states the insights of a plan, anew or again, and closes those it says no longer hold.
CREATE OR REPLACE FUNCTION cognifold.note_insights(
    tenant text, operations jsonb, new_nodes jsonb, plan_id uuid, clock timestamptz
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    stated  jsonb;  -- one object an insight to state: its fields, the id it has or gets, and whether it is there
    changes jsonb;
BEGIN
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'place', o.place, 'insight_id', coalesce(i.insight_id, cognifold.new_id()), 'node_id', s.node_id, 'kind', o.body -> 'kind',
               'aspect', coalesce(o.body ->> 'aspect', ''), 'insight', btrim(o.body ->> 'insight'), 'confidence', o.body -> 'confidence',
               'abstraction_level', o.body -> 'abstraction_level', 'figures', CASE jsonb_typeof(o.body -> 'figures') WHEN 'object' THEN o.body -> 'figures' ELSE '{}' END,
               'derived_from', e.ids, 'from_concepts', e.from_concepts) ORDER BY o.place), '[]')
    INTO stated
    FROM jsonb_array_elements(operations) WITH ORDINALITY AS o (body, place)
    CROSS JOIN LATERAL (SELECT cognifold.resolve_node(tenant, (o.body ->> 'node')::uuid) AS node_id) AS s
    CROSS JOIN LATERAL (   -- by the ids they go by; refs of the plan's own are the nodes it made
        SELECT array_agg(DISTINCT n.id ORDER BY n.id) AS ids, bool_or(n.kind = 'concept') AS from_concepts
        FROM jsonb_array_elements_text(o.body -> 'grounded_in') AS g (name)
        LEFT JOIN jsonb_to_recordset(new_nodes) AS w (ref text, id uuid) ON w.ref = g.name
        CROSS JOIN LATERAL (
            SELECT coalesce(n.merged_into, n.id) AS id, n.kind FROM cognifold.node AS n
            WHERE n.tenant_id = tenant AND n.id = coalesce(w.id, CASE WHEN cognifold.is_uuid(g.name) THEN g.name::uuid END) LIMIT 1
        ) AS n
    ) AS e
    LEFT JOIN LATERAL (   -- the two are looked up by the same index, but not by one condition
        SELECT i.insight_id FROM cognifold.insight_state AS i
        WHERE i.tenant_id = tenant AND i.node_id = s.node_id AND i.kind = o.body ->> 'kind' AND i.aspect = coalesce(o.body ->> 'aspect', '') AND i.closed_at IS NULL
        UNION ALL
        SELECT i.insight_id FROM cognifold.insight_state AS i
        WHERE s.node_id IS NULL AND i.tenant_id = tenant AND i.node_id IS NULL AND i.kind = o.body ->> 'kind'
          AND i.aspect = coalesce(o.body ->> 'aspect', '') AND i.closed_at IS NULL
    ) AS i ON true
    WHERE o.body ->> 'op' = 'ADD_INSIGHT';

    changes := cognifold.row_images(tenant, (
        SELECT coalesce(jsonb_agg(k.key ORDER BY k.place), '[]')
        FROM (
            SELECT w.place, jsonb_build_object('relation', 'insight_state', 'node_id', w.insight_id, 'other_id', w.node_id, 'part', w.kind) AS key
            FROM jsonb_to_recordset(stated) AS w (place bigint, insight_id uuid, node_id uuid, kind text)
            UNION ALL
            SELECT o.place, jsonb_build_object('relation', 'insight_state', 'node_id', i.insight_id, 'other_id', i.node_id, 'part', i.kind)
            FROM jsonb_array_elements(operations) WITH ORDINALITY AS o (body, place)
            JOIN cognifold.insight_state AS i ON i.tenant_id = tenant AND i.insight_id = (o.body ->> 'insight_id')::uuid
            WHERE o.body ->> 'op' = 'CLOSE_INSIGHT'
        ) AS k));

    UPDATE cognifold.insight_state AS i SET closed_at = greatest(clock, i.as_of)
    FROM jsonb_array_elements(operations) AS o (body)
    WHERE o.body ->> 'op' = 'CLOSE_INSIGHT' AND i.tenant_id = tenant AND i.insight_id = (o.body ->> 'insight_id')::uuid;
    INSERT INTO cognifold.insight_state AS i (
        tenant_id, insight_id, node_id, kind, aspect, insight, confidence, abstraction_level, derived_from, from_concepts, figures, as_of, plan_id, created_at)
    SELECT tenant, w.insight_id, w.node_id, w.kind, w.aspect, w.insight, w.confidence, w.abstraction_level, w.derived_from, w.from_concepts, w.figures,
           clock, plan_id, clock
    FROM jsonb_to_recordset(stated) AS w
        (insight_id uuid, node_id uuid, kind text, aspect text, insight text, confidence real, abstraction_level text, derived_from uuid[],
         from_concepts boolean, figures jsonb)
    ON CONFLICT ON CONSTRAINT insight_state_pkey DO UPDATE
        SET insight = excluded.insight, confidence = excluded.confidence, abstraction_level = excluded.abstraction_level,
            derived_from = excluded.derived_from, from_concepts = excluded.from_concepts, figures = excluded.figures, as_of = excluded.as_of,
            plan_id = excluded.plan_id;
    RETURN changes;
END
$$;
COMMENT ON FUNCTION cognifold.note_insights(text, jsonb, jsonb, uuid, timestamptz) IS
    'Carries out the ADD_INSIGHT and CLOSE_INSIGHT of checked operations and returns the journal entries. An insight of the same node, kind and aspect that holds is stated again in its row; one that was closed stays as it was, and a new row begins. Internal: execute_plan calls it.';
