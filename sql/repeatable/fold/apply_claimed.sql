-- apply_claimed: makes a plan the fold of claimed events, in the caller's transaction: whole, once, or not at all.
CREATE OR REPLACE FUNCTION cognifold.apply_claimed(
    event_ids uuid[], fence bigint, plan jsonb, read_version bigint DEFAULT NULL, model text DEFAULT NULL,
    tenant text DEFAULT cognifold.required_tenant()
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    moved    record;
    latest   uuid;
    applied  jsonb;
BEGIN
    PERFORM cognifold.hold_claim(tenant, event_ids, fence);

    SELECT n.id, p.version, p.proposer INTO moved
    FROM cognifold.named_nodes(plan) AS n (id)
    JOIN cognifold.journal AS j ON j.tenant_id = apply_claimed.tenant AND j.node_id = n.id AND j.relation = 'node'
    JOIN cognifold.plan AS p ON p.tenant_id = apply_claimed.tenant AND p.plan_id = j.plan_id
    WHERE p.version > read_version
    ORDER BY p.version, n.id
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'the graph moved on: node % was changed at version % (%), after version % was read', moved.id, moved.version, moved.proposer, read_version
            USING ERRCODE = 'CF025', HINT = 'Nothing was changed. Read fold_request again and have the plan made anew.';
    END IF;

    -- What is forgotten leaves no image that names it, and a model may have read it.
    SELECT p.version INTO moved.version FROM cognifold.plan AS p
    WHERE p.tenant_id = apply_claimed.tenant AND p.version > read_version AND p.proposer = 'forget' ORDER BY p.version LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'the graph moved on: something was forgotten at version %, after version % was read', moved.version, read_version
            USING ERRCODE = 'CF025', HINT = 'Nothing was changed. Read fold_request again and have the plan made anew.';
    END IF;

    SELECT w.node_id INTO latest
    FROM cognifold.work AS w
    WHERE w.tenant_id = apply_claimed.tenant AND w.task = 'fold' AND w.node_id = ANY (event_ids)
    ORDER BY w.occurred_at DESC, w.node_id DESC
    LIMIT 1;
    -- The plan is of the moment of its latest event, and of no id but its own: the fence is what makes it happen once.
    applied := cognifold.execute_plan(
        tenant, CASE jsonb_typeof(plan) WHEN 'object' THEN plan - 'plan_id' || jsonb_build_object('trigger_event_id', latest) ELSE plan END,
        'llm', event_ids);
    UPDATE cognifold.plan AS p SET model = apply_claimed.model
    WHERE p.tenant_id = apply_claimed.tenant AND p.plan_id = (applied ->> 'plan_id')::uuid AND apply_claimed.model IS NOT NULL;
    PERFORM cognifold.settle_ranks(tenant, enough => cognifold.ranks_due(tenant));
    PERFORM cognifold.leave_tenant(previous);
    RETURN applied;
END
$$;
COMMENT ON FUNCTION cognifold.apply_claimed(uuid[], bigint, jsonb, bigint, text, text) IS
    'Applies a model''s UpdatePlan as the fold of events claimed with fence, takes them from the queue and returns {plan_id, counts, refs} as apply_plan. read_version is the version of the fold_request the plan was made from (NULL: not checked), model whose plan it is, for the record. Raises CF024 where the claim is lost, naming the event and who has it now; CF025 where a plan after read_version has changed, merged or removed a node that this plan names, or something was forgotten since; CF020 for a faulty plan. Then nothing has changed, and the events are still claimed.';
