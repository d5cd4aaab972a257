-- fold_claimed: folds a claimed event with the SQL planner, under the claim's fence.
CREATE OR REPLACE FUNCTION cognifold.fold_claimed(
    event_id uuid, fence bigint, reason text DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    settings jsonb := cognifold.settings(tenant);
    plan     jsonb;
    result   jsonb;
BEGIN
    PERFORM cognifold.hold_claim(tenant, ARRAY[event_id], fence);
    PERFORM cognifold.index_node(tenant, event_id, settings);
    plan := cognifold.propose_plan(tenant, event_id, settings);
    IF reason IS NOT NULL THEN
        plan := plan || jsonb_build_object('reasoning', concat_ws('; ', NULLIF(plan ->> 'reasoning', ''), left(reason, 2000)));
    END IF;
    result := cognifold.execute_plan(tenant, plan, 'sql', ARRAY[event_id], settings);
    PERFORM cognifold.settle_ranks(tenant, enough => cognifold.ranks_due(tenant));
    PERFORM cognifold.leave_tenant(previous);
    RETURN result || jsonb_build_object('operations', jsonb_array_length(plan -> 'operations'));
END
$$;
COMMENT ON FUNCTION cognifold.fold_claimed(uuid, bigint, text, text) IS
    'What becomes of a claimed event for which a model had no good plan, where the setting fold.fallback is 1: the SQL planner folds it, and reason (why not the model) stands in the plan''s reasoning. Returns {plan_id, counts, refs, operations: how many}. Raises CF024 where the claim is lost.';
