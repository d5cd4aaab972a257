-- consolidate_all: a whole pass, committed step by step, so that folding goes on meanwhile and a crash loses nothing.
CREATE OR REPLACE PROCEDURE cognifold.consolidate_all(
    as_of timestamptz DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant(),
    time_budget interval DEFAULT NULL, row_budget bigint DEFAULT NULL, wait boolean DEFAULT true
)
LANGUAGE plpgsql
AS $$
-- No SET clause here: PostgreSQL lets a procedure commit only without one. Every name is qualified instead, and no operator used.
DECLARE
    step       jsonb;
    run        uuid;
    is_running boolean;
    pause      double precision;
BEGIN
    LOOP
        BEGIN
            step := cognifold.consolidate_step(run, as_of, tenant, time_budget, row_budget);
        EXCEPTION WHEN SQLSTATE 'CF027' THEN   -- another pass: it can go on once this transaction has ended
            IF run IS NOT NULL OR NOT wait THEN
                RAISE;
            END IF;
            step := NULL;
        END;
        COMMIT;
        IF step IS NULL THEN
            PERFORM pg_catalog.pg_sleep(0.2);
        ELSE
            SELECT s.run_id, s.running INTO run, is_running FROM pg_catalog.jsonb_to_record(step) AS s (run_id uuid, running boolean);
            EXIT WHEN NOT is_running;
            LOOP   -- each look in a transaction of its own: none stays open meanwhile
                pause := cognifold.consolidation_pause(run, tenant);
                COMMIT;
                EXIT WHEN pg_catalog.float8eq(pause, 0);
                PERFORM pg_catalog.pg_sleep(pause);
            END LOOP;
        END IF;
    END LOOP;
END
$$;
COMMENT ON PROCEDURE cognifold.consolidate_all(timestamptz, text, interval, bigint, boolean) IS
    'A whole sleep pass (consolidate) in steps of a transaction each (consolidate_step): folds and plans have their turn in between, and while events wait to be folded it pauses for them (consolidation_pause). What it did is its row of consolidation_run. CALL it outside a transaction block. Waits for a pass that is running; wait => false: CF027 then.';
