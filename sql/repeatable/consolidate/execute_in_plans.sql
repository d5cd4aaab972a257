-- execute_in_plans: carries out a pass's operations, however many, in plans of at most plan.maximum_operations.
CREATE OR REPLACE FUNCTION cognifold.execute_in_plans(
    tenant text, as_of timestamptz, reasoning text, operations jsonb, settings jsonb
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    part    jsonb;
    applied jsonb;
    plans   jsonb := '[]';
    counts  jsonb := '{}';
    merged  jsonb := '[]';
BEGIN
    FOR part IN SELECT w.part FROM cognifold.whole_plans(operations, (settings ->> 'plan.maximum_operations')::integer) AS w LOOP
        applied := cognifold.execute_plan(
            tenant, jsonb_build_object('as_of', as_of, 'reasoning', reasoning, 'operations', part), 'consolidate', '{}', settings);
        plans := plans || (applied -> 'plan_id');
        counts := cognifold.added_counts(counts, applied -> 'counts');
        merged := merged || coalesce(applied -> 'merged', '[]');
    END LOOP;
    RETURN jsonb_build_object('plans', plans, 'counts', counts, 'merged', merged);
END
$$;
COMMENT ON FUNCTION cognifold.execute_in_plans(text, timestamptz, text, jsonb, jsonb) IS
    'Executes an array of operations as plans of proposer consolidate (whole_plans), in order; none are written for an empty array. The caller holds the tenant''s turn. Returns {"plans": [ids], "counts": their counts summed, "merged": [...]}. Internal: a pass calls it.';
