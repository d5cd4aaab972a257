-- propose_actions: steps for an intent that has none yet, in the words of its own evidence.
CREATE OR REPLACE FUNCTION cognifold.propose_actions(
    intent_id uuid, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE ("position" integer, what text, due_at timestamptz, status text, proposer text, event_id uuid)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 5
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(propose_actions.tenant);
    steps    jsonb;
BEGIN
    PERFORM cognifold.take_turn(propose_actions.tenant);
    PERFORM cognifold.active_intent(propose_actions.tenant, 'propose_actions', propose_actions.intent_id);
    IF NOT EXISTS (SELECT FROM cognifold.intent_action_state AS a WHERE a.tenant_id = propose_actions.tenant AND a.node_id = propose_actions.intent_id) THEN
        steps := cognifold.proposed_steps(propose_actions.tenant, propose_actions.intent_id, cognifold.now(), cognifold.settings(propose_actions.tenant));
        IF steps IS NOT NULL THEN
            PERFORM cognifold.execute_plan(propose_actions.tenant,
                                           jsonb_build_object('reasoning', 'steps read off the evidence by rule', 'operations', steps), 'intent');
        END IF;
    END IF;
    RETURN QUERY
    SELECT a.position, a.what, a.due_at, a.status, a.proposer, a.event_id
    FROM cognifold.intent_action_state AS a WHERE a.tenant_id = propose_actions.tenant AND a.node_id = propose_actions.intent_id
    ORDER BY a.position;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.propose_actions(uuid, text) IS
    'The steps of an open intent in order; where it has none, they are proposed first, by rule and without a model: the sentences of its evidence that say something is unmet, the surest and then the latest first, at most intent.steps of them, due evenly until its deadline (within intent.soon of it the first today), at no time where it has none. No row where its evidence says nothing of the kind, as for one that a user stated. Called again it returns what is there. A plan may set other steps (SET_ACTION), as a model does. CF021 for what is no intent, CF037 for one that is closed or expired.';
