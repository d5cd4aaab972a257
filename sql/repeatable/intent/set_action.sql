-- set_action: adds a step to an intent, changes one, or says how far it has come.
CREATE OR REPLACE FUNCTION cognifold.set_action(
    intent_id uuid, "position" integer DEFAULT NULL, status text DEFAULT NULL, what text DEFAULT NULL, due_at timestamptz DEFAULT NULL,
    reasoning text DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    standing text;
    present  text;
    fault    text;
    step     jsonb;
    applied  jsonb;
BEGIN
    PERFORM cognifold.take_turn(tenant);
    standing := cognifold.active_intent(tenant, 'set_action', intent_id);
    IF status IS NOT NULL AND status NOT IN ('proposed', 'accepted', 'done', 'skipped') THEN
        RAISE EXCEPTION 'set_action: status = % is none', quote_literal(status)
            USING ERRCODE = 'CF010', HINT = 'Say proposed, accepted, done or skipped.';
    ELSIF due_at IS NOT NULL AND NOT isfinite(due_at) THEN
        RAISE EXCEPTION 'set_action: due_at = % is not a moment', due_at USING ERRCODE = 'CF010', HINT = 'Give a finite time, or leave it out.';
    END IF;
    IF "position" IS NOT NULL THEN
        SELECT a.status INTO present FROM cognifold.intent_action_state AS a
        WHERE a.tenant_id = tenant AND a.node_id = set_action.intent_id AND a.position = set_action.position;
        IF NOT FOUND AND what IS NULL THEN
            RAISE EXCEPTION 'intent % has no step %', intent_id, "position"
                USING ERRCODE = 'CF021', HINT = 'SELECT position, what, status FROM cognifold.intent_action WHERE intent_id = ... lists them; a new one says what.';
        ELSIF present <> status AND NOT EXISTS (SELECT FROM cognifold.action_step AS s WHERE s.from_status = present AND s.to_status = set_action.status) THEN
            RAISE EXCEPTION 'step % of intent % is %, it cannot become %', "position", intent_id, present, status
                USING ERRCODE = 'CF036',
                      HINT = coalesce('From here it can become ' || (SELECT string_agg(s.to_status, ', ' ORDER BY s.to_status) FROM cognifold.action_step AS s
                                                                     WHERE s.from_status = present) || '.', 'What is done stays done; add a step of its own.');
        END IF;
    END IF;
    step := jsonb_strip_nulls(jsonb_build_object(
        'op', 'SET_ACTION', 'node', intent_id, 'position', "position", 'status', status, 'what', what,
        'due_at', cognifold.plan_time(due_at),
        'reasoning', coalesce(reasoning, 'set by hand')));
    fault := cognifold.action_fault(tenant, step);
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'set_action: %', fault USING ERRCODE = 'CF010', HINT = 'Nothing was changed. Correct it and set the step again.';
    END IF;
    applied := cognifold.execute_plan(tenant, jsonb_build_object('reasoning', coalesce(reasoning, 'set by hand'), 'operations', jsonb_build_array(step)), 'user');
    "position" := (SELECT a.position FROM cognifold.intent_action_state AS a
                   WHERE a.tenant_id = tenant AND a.node_id = set_action.intent_id AND a.plan_id = (applied ->> 'plan_id')::uuid);
    PERFORM cognifold.leave_tenant(previous);
    RETURN "position";
END
$$;
COMMENT ON FUNCTION cognifold.set_action(uuid, integer, text, text, timestamptz, text, text) IS
    'Sets a step of an open intent and returns its position: without position a new step after the last, which must say what; else status (proposed, accepted, done, skipped), what or due_at of that one, what is left out as it was. Steps go proposed -> accepted -> done, or skipped and accepted again after all; another change raises CF036, a closed or expired intent CF037, CF021 what is no intent or no step of it. A plan of the user, and so journaled and undone like one. Keeps count only: the memory carries nothing out.';
