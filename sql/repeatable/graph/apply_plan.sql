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
    PERFORM cognifold.settle_ranks(tenant, enough => cognifold.ranks_due(tenant));
    PERFORM cognifold.leave_tenant(previous);
    RETURN result;
END
$$;
COMMENT ON FUNCTION cognifold.apply_plan(jsonb, text) IS
    'Applies an UpdatePlan {"plan_id"?, "trigger_event_id"?, "reasoning", "operations": [...]} in one transaction and returns {plan_id, counts, refs}. Operations, each with "reasoning" and "grounded_in" (node ids or refs): {"op": "ADD_NODE", kind concept|intent|time, title, ref?, content?, memory_type?, privacy_level?, payload?, occurred_at?, precision?, annotations?}; {"op": "ADD_EDGE", source, target, type, weight?, inferred?, bidirectional?, metadata?}; {"op": "UPDATE_NODE", node, title?, content?, memory_type?, privacy_level?, payload?, annotations?: {name: value, null takes it away}}, of an event annotations only; {"op": "MERGE_NODES", ids: two or more concepts, survivor?: one of them, else the most accessed, then of most evidence, then the oldest}; {"op": "REMOVE_NODE", node: concept, intent or time}; {"op": "REMOVE_EDGE", source, target, type}; {"op": "ADD_INSIGHT", insight (a sentence), kind (a word), confidence in [0, 1], abstraction_level specific|general|principle, node?: the concept it is about, aspect?, figures?}, which rests on what grounded_in names and takes the place of one of the same node, kind and aspect; {"op": "CLOSE_INSIGHT", insight_id}; {"op": "SET_ACTION", node: an intent, what?, due_at?, status? proposed|accepted|done|skipped, position?: of the step, else after the last}, which adds a step, and then says what, or changes one (see set_action). Nodes are named by id or by a ref of the plan. Removals come first, merges last, whatever the order. A concept like one that is there becomes a reinforcement of it; a removal may not leave a concept or intent without provenance. Raises CF020 with the faulty operation''s index (from 0) and the reason, and then nothing has changed. The same plan_id applied again returns the first result, or raises CF023 where that plan has been undone, CF048 where part of it is forgotten.';
