-- apply_plan: applies an UpdatePlan whole or not at all, in the caller's transaction.
CREATE OR REPLACE FUNCTION cognifold.apply_plan(plan jsonb, tenant text DEFAULT cognifold.required_tenant()) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    result   jsonb;
BEGIN
    result := cognifold.execute_plan(tenant, plan, 'user');
    PERFORM cognifold.leave_tenant(previous);
    RETURN result;
END
$$;
COMMENT ON FUNCTION cognifold.apply_plan(jsonb, text) IS
    'Applies an UpdatePlan {"plan_id"?, "trigger_event_id"?, "reasoning", "operations": [...]} in one transaction and returns {plan_id, counts, refs}. Operations: {"op": "ADD_NODE", kind concept|intent|time, title, ref?, content?, grounded_in, reasoning}, {"op": "ADD_EDGE", source, target, type, weight?, inferred?, reasoning}, {"op": "UPDATE_NODE", node, title?, content?, reasoning} and {"op": "MERGE_NODES", ids: two or more concepts, survivor?: one of them, else the most accessed, then of most evidence, then the oldest, reasoning}; source, target and grounded_in name nodes by id or by a ref of the plan. Raises CF020 with the faulty operation''s index and reason, and then nothing has changed. The same plan_id applied again returns the first result.';
