-- work: does what waits and what is due, as far as the database can by itself: for pg_cron, or whatever else calls SQL by the clock.
CREATE OR REPLACE PROCEDURE cognifold.work(time_budget interval DEFAULT '20 seconds')
LANGUAGE plpgsql
AS $$
-- No SET clause here: PostgreSQL lets a procedure commit only without one. Every name is qualified instead, and no operator used.
DECLARE
    until   timestamptz := pg_catalog.timestamptz_pl_interval(pg_catalog.clock_timestamp(), time_budget);
    whose   text;
    claimed record;
    folded  boolean;
    report  jsonb;
    kind    text;
    reason  text;
BEGIN
    PERFORM cognifold.note_due_jobs();
    COMMIT;
    LOOP
        folded := false;
        FOR whose IN SELECT w.tenant FROM cognifold.tenants_with_work() AS w LOOP
            BEGIN
                PERFORM FROM cognifold.fold_if_free(20, whose);
                IF FOUND THEN
                    folded := true;
                END IF;
            EXCEPTION WHEN lock_not_available OR SQLSTATE 'CF051' THEN
                NULL;   -- another time
            END;
            COMMIT;
            EXIT WHEN pg_catalog.timestamptz_ge(pg_catalog.clock_timestamp(), until);
        END LOOP;
        SELECT c.* INTO claimed
        FROM cognifold.claim_jobs(1, NULL, ARRAY(SELECT j.job FROM cognifold.job AS j WHERE j.in_sql)) AS c;
        COMMIT;
        IF claimed.job IS NOT NULL THEN
            kind := NULL;
            reason := NULL;
            report := NULL;
            BEGIN
                report := cognifold.run_in_sql(claimed.job, claimed.tenant);
            EXCEPTION WHEN OTHERS THEN
                GET STACKED DIAGNOSTICS kind = RETURNED_SQLSTATE, reason = MESSAGE_TEXT;
            END;
            COMMIT;
            BEGIN
                PERFORM cognifold.finish_job(claimed.job, claimed.period, claimed.fence, report, kind, reason, claimed.tenant);
            EXCEPTION WHEN SQLSTATE 'CF050' THEN
                NULL;   -- it took longer than its lease: what it did stands, another has it now
            END;
            COMMIT;
        ELSIF NOT folded THEN
            EXIT;
        END IF;
        EXIT WHEN pg_catalog.timestamptz_ge(pg_catalog.clock_timestamp(), until);
    END LOOP;
END
$$;
COMMENT ON PROCEDURE cognifold.work(interval) IS
    'Folds what waits, tenant by tenant, and does the jobs that are due and need nothing outside the database (job.in_sql), each in a transaction of its own, until nothing is left or time_budget is used up. CALL it outside a transaction block, as a member of cognifold_worker; any number may run at once, beside workers. sql/optional/cron calls it from pg_cron.';
