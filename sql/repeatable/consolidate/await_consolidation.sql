-- await_consolidation: takes the tenant's turn for a pass once no other pass is running.
CREATE OR REPLACE FUNCTION cognifold.await_consolidation(tenant text, wait boolean) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    began    timestamptz := clock_timestamp();
    limited  text := current_setting('lock_timeout');
    patience interval := (SELECT NULLIF(s.setting, '0')::double precision * interval '1 ms' FROM pg_settings AS s WHERE s.name = 'lock_timeout');
    other    uuid;
BEGIN
    LOOP
        other := cognifold.running_consolidation(tenant);
        IF other IS NULL AND wait THEN
            BEGIN
                PERFORM cognifold.take_turn(tenant);
                other := cognifold.running_consolidation(tenant);
                IF other IS NULL THEN
                    RETURN;
                END IF;
                RAISE EXCEPTION 'another pass has begun' USING ERRCODE = 'CF027';
            EXCEPTION WHEN SQLSTATE 'CF027' THEN
                NULL;   -- with the turn in hand it could not go on: so that goes back
            END;
        ELSIF other IS NULL THEN
            -- A fold, or a step, is done by then. Whoever keeps the graph longer is a pass in one transaction, or as long.
            BEGIN
                PERFORM set_config('lock_timeout', (1000 * cognifold.setting('consolidate.patience', tenant))::bigint::text, true);
                PERFORM cognifold.take_turn(tenant);
                PERFORM set_config('lock_timeout', limited, true);
                other := cognifold.running_consolidation(tenant);
                IF other IS NULL THEN
                    RETURN;
                END IF;
            EXCEPTION WHEN lock_not_available THEN
                RAISE EXCEPTION 'the graph of tenant "%" is being changed in a long transaction', tenant
                    USING ERRCODE = 'CF027', HINT = 'It may be another pass. Ask again later, or wait for it: wait => true.';
            END;
        END IF;
        IF NOT wait THEN
            RAISE EXCEPTION 'another pass is running for tenant "%": %', tenant, other
                USING ERRCODE = 'CF027', HINT = 'Ask again later (consolidation_run shows how far it is), or wait for it: wait => true.';
        ELSIF clock_timestamp() > began + patience THEN
            RAISE EXCEPTION 'canceling the wait for pass % due to lock timeout', other USING ERRCODE = 'lock_not_available';
        END IF;
        PERFORM pg_sleep(0.05);
    END LOOP;
END
$$;
COMMENT ON FUNCTION cognifold.await_consolidation(text, boolean) IS
    'Waits until no pass is running in steps and takes the turn; obeys lock_timeout. Without wait: CF027 where one is running, or the turn does not come within consolidate.patience. Internal: consolidate calls it.';
