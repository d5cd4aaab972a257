-- begin_consolidation: enters a pass into consolidation_run, and takes up what an interrupted one has left.
CREATE OR REPLACE FUNCTION cognifold.begin_consolidation(
    tenant text, as_of timestamptz, time_budget interval, row_budget bigint, settings jsonb
) RETURNS uuid
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    left_by cognifold.consolidation_run;
    run_id  uuid := cognifold.new_id();
BEGIN
    -- Nothing of an interrupted pass is lost or done twice: each of its steps is there whole or not at all, and took out of the
    -- dirty set what it settled, so that what is dirty or due now is what it left and what came since. The pass that takes it up
    -- therefore goes by its own, later moment: what has become due in between is due, and no edge fades by a clock that has moved
    -- on. It is a run of its own, so that whoever ran the other and is alive after all is told so at its next step. Only the cap on
    -- merges is handed on, lest a pass that is interrupted again and again merge more than one that is not.
    UPDATE cognifold.consolidation_run AS r SET state = 'interrupted'
    WHERE r.tenant_id = tenant AND r.state = 'running'
    RETURNING r.* INTO left_by;
    INSERT INTO cognifold.consolidation_run
        (tenant_id, run_id, as_of, started_at, updated_at, merges_allowed, time_budget, row_budget, holder, leased_until)
    VALUES (tenant, run_id, as_of, clock_timestamp(), clock_timestamp(), left_by.merges_allowed, time_budget, row_budget, pg_backend_pid(),
            clock_timestamp() + make_interval(secs => (settings ->> 'consolidate.lease')::double precision));
    RETURN run_id;
END
$$;
COMMENT ON FUNCTION cognifold.begin_consolidation(text, timestamptz, interval, bigint, jsonb) IS
    'Marks a run that is running as interrupted and enters a new one, whose id it returns. The caller holds the tenant''s turn and knows that the other is dead (running_consolidation). Internal.';
