-- plan: the whole record of a plan: what it was to do and why, what came of it, and which rows it changed.
CREATE OR REPLACE FUNCTION cognifold.plan(plan_id uuid, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    found    jsonb;
BEGIN
    SELECT jsonb_build_object(
               'plan_id', p.plan_id, 'version', p.version, 'proposer', p.proposer, 'model', p.model, 'status', p.status, 'undoes', p.undoes,
               'undone_by', (SELECT u.plan_id FROM cognifold.plan AS u
                             WHERE u.tenant_id = p.tenant_id AND u.undoes = p.plan_id AND u.status = 'applied' ORDER BY u.version DESC LIMIT 1),
               'trigger_event_id', p.trigger_event_id,
               'folded_events', (SELECT coalesce(jsonb_agg(j.node_id ORDER BY j.position), '[]') FROM cognifold.journal AS j
                                 WHERE j.tenant_id = p.tenant_id AND j.plan_id = p.plan_id AND j.relation = 'folded_event' AND p.undoes IS NULL),
               'as_of', p.as_of, 'applied_at', p.applied_at, 'reasoning', p.reasoning, 'operations', p.operations, 'result', p.result,
               'journal', (SELECT coalesce(jsonb_agg(jsonb_build_object('relation', j.relation, 'node_id', j.node_id, 'other_id', j.other_id,
                                                                        'part', j.part, 'before', j.before) ORDER BY j.position), '[]')
                           FROM cognifold.journal AS j WHERE j.tenant_id = p.tenant_id AND j.plan_id = p.plan_id))
    INTO found
    FROM cognifold.plan AS p WHERE p.tenant_id = tenant AND p.plan_id = plan.plan_id;
    IF found IS NULL THEN
        RAISE EXCEPTION 'plan % is not known to tenant "%"', coalesce(plan.plan_id::text, 'NULL'), tenant
            USING ERRCODE = 'CF021', HINT = 'apply_plan and fold return plan_id; history lists the plans of a node.';
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN found;
END
$$;
COMMENT ON FUNCTION cognifold.plan(uuid, text) IS
    'A plan as it is on record: {plan_id, version, proposer, model, status applied|undone, undoes, undone_by, trigger_event_id, folded_events, as_of, applied_at, reasoning, operations, result, journal: [{relation, node_id, other_id, part, before}]}. Raises CF021 for a plan this tenant has not.';
