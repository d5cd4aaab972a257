-- plan_problem: the first thing that is wrong with a plan, or NULL. Looks at everything and writes nothing.
CREATE OR REPLACE FUNCTION cognifold.plan_problem(tenant text, plan jsonb, proposer text DEFAULT 'user') RETURNS text
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    maximum integer := cognifold.setting('plan.maximum_operations', tenant)::integer;
    problem text;
BEGIN
    IF plan IS NULL OR jsonb_typeof(plan) <> 'object' OR coalesce(jsonb_typeof(plan -> 'operations'), 'missing') <> 'array' THEN
        RETURN 'the plan is not a JSON object with an array "operations"';
    ELSIF jsonb_array_length(plan -> 'operations') > maximum THEN
        RETURN format('the plan has %s operations; at most %s are allowed', jsonb_array_length(plan -> 'operations'), maximum);
    ELSIF EXISTS (SELECT FROM jsonb_object_keys(plan) AS k (name) WHERE k.name NOT IN ('plan_id', 'trigger_event_id', 'reasoning', 'operations')
                    AND NOT (k.name = 'as_of' AND proposer IN ('consolidate', 'intent'))) THEN
        RETURN format('a plan has no field %L; it has plan_id, trigger_event_id, reasoning and operations',
                      (SELECT min(k.name) FROM jsonb_object_keys(plan) AS k (name)
                       WHERE k.name NOT IN ('plan_id', 'trigger_event_id', 'reasoning', 'operations')));
    ELSIF jsonb_typeof(plan -> 'reasoning') NOT IN ('string', 'null') THEN
        RETURN 'reasoning of the plan is not a text';
    ELSIF NOT cognifold.is_uuid(plan ->> 'plan_id') THEN
        RETURN format('plan_id %L is not a uuid', plan ->> 'plan_id');
    ELSIF plan ->> 'trigger_event_id' IS NOT NULL THEN
        IF NOT cognifold.is_uuid(plan ->> 'trigger_event_id') OR NOT EXISTS (
            SELECT FROM cognifold.node AS n
            WHERE n.tenant_id = tenant AND n.kind = 'event' AND n.id = (plan ->> 'trigger_event_id')::uuid)
        THEN
            RETURN format('trigger_event_id %L is not an event of this tenant', plan ->> 'trigger_event_id');
        END IF;
    END IF;

    -- Most plans only add edges: what the others need to be looked at for is looked at in the others.
    SELECT format('operation %s (%s): %s', f.position, coalesce(plan -> 'operations' -> f.position::integer ->> 'op', '?'), f.reason) INTO problem
    FROM (
        SELECT o.* FROM cognifold.operation_faults(tenant, plan -> 'operations', proposer) AS o
        UNION ALL
        SELECT g.* FROM cognifold.grounding_faults(tenant, plan -> 'operations') AS g WHERE plan -> 'operations' @> '[{"op": "ADD_NODE"}]'
        UNION ALL
        SELECT r.* FROM cognifold.removal_faults(tenant, plan -> 'operations') AS r
        WHERE plan @? '$.operations[*].op ? (@ == "REMOVE_NODE" || @ == "REMOVE_EDGE" || @ == "MERGE_NODES")'
    ) AS f
    ORDER BY f.position, f.reason
    LIMIT 1;
    RETURN problem;
END
$$;
COMMENT ON FUNCTION cognifold.plan_problem(text, jsonb, text) IS
    'Why a plan cannot be applied: the first faulty operation''s index (from 0) and the reason; NULL if there is none. Internal.';
