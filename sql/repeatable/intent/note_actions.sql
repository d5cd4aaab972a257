-- note_actions: sets the steps that a plan proposes for intents, or says how far they have come.
CREATE OR REPLACE FUNCTION cognifold.note_actions(
    tenant text, operations jsonb, new_nodes jsonb, plan_id uuid, proposer text, clock timestamptz
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    steps   jsonb;  -- one object a step: the intent, its place, and what is said of it
    changes jsonb;
BEGIN
    -- A step without a place comes after the last one of its intent, in the order of the plan.
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'node_id', s.node_id, 'position', s.number, 'what', btrim(s.body ->> 'what'), 'due_at', s.body -> 'due_at', 'status', s.body -> 'status',
               'event_id', s.event_id) ORDER BY s.place), '[]')
    INTO steps
    FROM (
        SELECT o.place, o.body, i.node_id, g.event_id,
               coalesce((o.body ->> 'position')::integer,
                        greatest((SELECT max(a.position) FROM cognifold.intent_action_state AS a WHERE a.tenant_id = tenant AND a.node_id = i.node_id),
                                 max((o.body ->> 'position')::integer) OVER (PARTITION BY i.node_id), 0)
                        + count(*) FILTER (WHERE o.body ->> 'position' IS NULL) OVER (PARTITION BY i.node_id ORDER BY o.place)::integer) AS number
        FROM jsonb_array_elements(operations) WITH ORDINALITY AS o (body, place)
        CROSS JOIN LATERAL (
            SELECT coalesce((SELECT w.id FROM jsonb_to_recordset(new_nodes) AS w (ref text, id uuid) WHERE w.ref = o.body ->> 'node'),
                            CASE WHEN cognifold.is_uuid(o.body ->> 'node') THEN (o.body ->> 'node')::uuid END) AS node_id
        ) AS i
        CROSS JOIN LATERAL (   -- the first event it is grounded in
            SELECT (SELECT n.id
                    FROM jsonb_array_elements_text(CASE jsonb_typeof(o.body -> 'grounded_in') WHEN 'array' THEN o.body -> 'grounded_in' ELSE '[]' END)
                        WITH ORDINALITY AS e (name, place)
                    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.kind = 'event'
                         AND n.id = CASE WHEN cognifold.is_uuid(e.name) THEN e.name::uuid END
                    ORDER BY e.place LIMIT 1) AS event_id
        ) AS g
        WHERE o.body ->> 'op' = 'SET_ACTION'
    ) AS s;
    changes := cognifold.row_images(tenant, (
        SELECT jsonb_agg(jsonb_build_object('relation', 'intent_action_state', 'node_id', s.node_id, 'part', s.position::text))
        FROM jsonb_to_recordset(steps) AS s (node_id uuid, position integer)));

    INSERT INTO cognifold.intent_action_state AS a (tenant_id, node_id, position, what, due_at, status, proposer, event_id, as_of, plan_id)
    SELECT tenant, s.node_id, s.position, coalesce(s.what, ''), s.due_at, coalesce(s.status, 'proposed'), proposer, s.event_id, clock, plan_id
    FROM jsonb_to_recordset(steps) AS s (node_id uuid, position integer, what text, due_at timestamptz, status text, event_id uuid)
    WHERE NOT EXISTS (SELECT FROM cognifold.intent_action_state AS o WHERE o.tenant_id = tenant AND o.node_id = s.node_id AND o.position = s.position);
    UPDATE cognifold.intent_action_state AS a
    SET what = coalesce(s.what, a.what), due_at = coalesce(s.due_at, a.due_at), status = coalesce(s.status, a.status),
        event_id = coalesce(s.event_id, a.event_id), as_of = clock, plan_id = note_actions.plan_id
    FROM jsonb_to_recordset(steps) AS s (node_id uuid, position integer, what text, due_at timestamptz, status text, event_id uuid)
    WHERE a.tenant_id = tenant AND a.node_id = s.node_id AND a.position = s.position AND a.plan_id <> note_actions.plan_id;
    RETURN changes;
END
$$;
COMMENT ON FUNCTION cognifold.note_actions(text, jsonb, jsonb, uuid, text, timestamptz) IS
    'Carries out the SET_ACTION of checked operations and returns the journal entries: a step that is there gets what the operation says, another is added, as proposed by the plan''s proposer. Internal: execute_plan calls it.';
