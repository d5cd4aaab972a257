-- consolidate_step: one short piece of a sleep pass; the transaction ends, others have their turn, and the next call goes on.
CREATE OR REPLACE FUNCTION cognifold.consolidate_step(
    run_id uuid DEFAULT NULL, as_of timestamptz DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant(),
    time_budget interval DEFAULT NULL, row_budget bigint DEFAULT NULL, finish boolean DEFAULT false
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    clock    timestamptz := cognifold.checked_moment('consolidate_step', as_of);
    settings jsonb;
    run      cognifold.consolidation_run;
    other    uuid;
    report   jsonb;
BEGIN
    PERFORM cognifold.checked_budget(time_budget, row_budget);
    IF run_id IS NULL THEN
        other := cognifold.running_consolidation(tenant);
        IF other IS NULL AND (finish OR NOT cognifold.has_to_consolidate(tenant, clock)) THEN
            PERFORM cognifold.leave_tenant(previous);
            RETURN jsonb_build_object('run_id', NULL, 'as_of', clock, 'running', false, 'phase', NULL, 'more', false, 'steps', 0,
                                      'settled', 0, 'plans', '[]'::jsonb, 'counts', '{}'::jsonb);
        END IF;
        IF other IS NULL THEN
            PERFORM cognifold.take_turn(tenant);
            other := cognifold.running_consolidation(tenant);   -- whoever had the turn may have begun one
        END IF;
        IF other IS NOT NULL THEN
            RAISE EXCEPTION 'another pass is running for tenant "%": %', tenant, other
                USING ERRCODE = 'CF027', HINT = 'Wait for it (consolidation_run shows how far it is), or ask again later.';
        END IF;
        settings := cognifold.settings(tenant);
        run_id := cognifold.begin_consolidation(tenant, clock, time_budget, row_budget, settings);
    ELSE
        PERFORM cognifold.take_turn(tenant);
        SELECT r.* INTO run FROM cognifold.consolidation_run AS r WHERE r.tenant_id = tenant AND r.run_id = run_id;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'there is no pass %', run_id
                USING ERRCODE = 'CF021', HINT = 'Give the run_id that the first step has returned, or none to begin a pass.';
        ELSIF run.state <> 'running' THEN
            RAISE EXCEPTION 'pass % is %', run_id, run.state
                USING ERRCODE = 'CF027', HINT = 'A step is made after another while "running" is true. Where nothing was heard of a pass for a while, another takes it up: begin anew, without run_id.';
        END IF;
        settings := cognifold.settings(tenant);
    END IF;
    IF finish THEN
        PERFORM cognifold.settle_ranks(tenant, (settings ->> 'consolidate.pushes')::bigint);
        UPDATE cognifold.consolidation_run AS r
        SET state = 'finished', finished_at = clock_timestamp(), updated_at = clock_timestamp(),
            more = cognifold.consolidation_due(tenant, r.as_of) IS NOT NULL
        WHERE r.tenant_id = tenant AND r.run_id = run_id
        RETURNING jsonb_build_object('run_id', r.run_id, 'as_of', r.as_of, 'running', false, 'phase', r.phase, 'more', r.more, 'steps', r.steps,
                                     'settled', 0, 'plans', '[]'::jsonb, 'counts', '{}'::jsonb) INTO report;
    ELSE
        report := cognifold.advance_consolidation(tenant, run_id, settings);
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN report;
END
$$;
COMMENT ON FUNCTION cognifold.consolidate_step(uuid, timestamptz, text, interval, bigint, boolean) IS
    'One piece of a sleep pass (consolidate), of at most consolidate.step concepts or events: call it, end the transaction, and call it again with the run_id it has returned while "running" is true. In between folds and plans have their turn (consolidation_pause says how long to leave it to them), and consolidation_run shows how far the pass is. Without run_id it begins a pass, as of as_of (default the memory''s clock) and within a budget: time_budget (wall clock, from its first step on) and row_budget (recalls, edges, concepts and events dealt with) end it after the step in which they are used up. finish: the pass ends here, whatever is left. A step cut off by anything has not happened; a pass that nobody goes on with is taken up by the next one. Returns {"run_id" (NULL, and nothing written, where there is nothing to do), "as_of", "running": whether there is another step, "phase": of this one, "more": whether anything is left, "steps", "settled", "plans": [ids], "counts": {...}}, the last three of this step alone. CF027: another pass is running, or this one has ended.';
