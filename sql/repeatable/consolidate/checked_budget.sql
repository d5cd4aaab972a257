-- checked_budget: refuses a budget for a pass that is none.
CREATE OR REPLACE FUNCTION cognifold.checked_budget(time_budget interval, row_budget bigint) RETURNS void
LANGUAGE plpgsql IMMUTABLE
SET search_path FROM CURRENT
AS $$
BEGIN
    IF time_budget <= interval '0' THEN
        RAISE EXCEPTION 'consolidate: time_budget = % is not a length of time', time_budget
            USING ERRCODE = 'CF010', HINT = 'Give the time after which the pass ends, such as interval ''5 s'', or leave it out.';
    ELSIF row_budget < 1 THEN
        RAISE EXCEPTION 'consolidate: row_budget = % is not a positive number', row_budget
            USING ERRCODE = 'CF010', HINT = 'Say how many recalls, edges, concepts and events to deal with at most, or leave it out.';
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.checked_budget(interval, bigint) IS 'CF010 unless both are positive or NULL. Internal: verbs of a pass call it.';
