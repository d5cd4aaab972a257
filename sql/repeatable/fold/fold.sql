-- fold: takes waiting events in order of event time, proposes a plan for each and applies it, in the caller's transaction.
-- Each event has its own subtransaction: one that fails leaves its reason in the queue and the others untouched.
CREATE OR REPLACE FUNCTION cognifold.fold(
    max_events integer DEFAULT 50, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (event_id uuid, plan_id uuid, outcome text, operations integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 50
SET search_path FROM CURRENT
-- Each statement is planned once, on whatever the memory holds then, and looks a few rows up by their keys: a plan made
-- for an empty memory must still be right for a full one.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    own      cognifold.embedding_model := cognifold.tenant_model(tenant);
    job      record;
    proposal jsonb;
    applied  jsonb;
    settings jsonb := cognifold.settings(tenant);
    given_up integer := settings ->> 'fold.attempts';
    pause    double precision := settings ->> 'fold.retry_delay';
    reason   text;
    state    text;
    -- The events before the one at hand, the last first (latest_events): read once, and then each folded one is put before them.
    most     integer := settings ->> 'fold.latest';
    ids      uuid[];
    times    timestamptz[];
    actors   text[];
    vectors  halfvec[];
    seen     record;
BEGIN
    IF max_events IS NULL OR max_events < 1 THEN
        RAISE EXCEPTION 'fold: max_events = % is not a positive number', coalesce(max_events::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Say how many events to fold at most.';
    END IF;
    PERFORM cognifold.take_captures(tenant);   -- what watched tables have written since
    -- Folding looks for what is alike in the whole graph, so two folds of one tenant take turns; the second waits here.
    PERFORM cognifold.take_turn(tenant);
    own := cognifold.tenant_model(tenant);   -- it may have changed while we waited
    FOR turn IN 1 .. max_events LOOP
        IF turn % 64 = 1 THEN
            PERFORM cognifold.refresh_statistics(tenant);
        END IF;
        BEGIN
            -- Here, so that whoever locks the row also deletes it: of a row with two such owners PostgreSQL never forgets the
            -- index entry, and each look at the queue would step over all that were folded before.
            SELECT w.node_id, w.attempts, w.occurred_at INTO job
            FROM cognifold.work AS w
            WHERE w.tenant_id = tenant AND w.task = 'fold' AND w.state <> 'dead' AND w.not_before <= clock_timestamp()
              AND (w.lease_until IS NULL OR w.lease_until <= clock_timestamp())  -- a worker has it (claim_folds)
              -- With an outside model an event is folded once its vector is there.
              AND (own.provider = 'lexicon' OR w.vectorless OR EXISTS (
                      SELECT FROM cognifold.embedding AS e
                      WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = w.node_id))
            ORDER BY w.occurred_at, w.node_id
            LIMIT 1
            FOR UPDATE SKIP LOCKED;
            EXIT WHEN NOT FOUND;

            event_id := job.node_id;
            plan_id := NULL;
            operations := 0;
            PERFORM cognifold.index_node(tenant, job.node_id, settings);
            -- Another event may lie between the last and this one, folded before, given up, or with another worker.
            IF ids[1] IS NULL OR cardinality(ids) > 2 * most OR (times[1], ids[1]) >= (job.occurred_at, job.node_id) OR EXISTS (
                   SELECT FROM cognifold.node AS n
                   WHERE n.tenant_id = tenant AND n.kind = 'event'
                     AND (n.occurred_at, n.id) > (times[1], ids[1]) AND (n.occurred_at, n.id) < (job.occurred_at, job.node_id)) THEN
                SELECT l.ids, l.times, l.actors, l.vectors INTO ids, times, actors, vectors
                FROM cognifold.latest_events(tenant, job.occurred_at, job.node_id, own.model_id, most) AS l;
            END IF;
            proposal := cognifold.propose_plan(tenant, job.node_id, settings, ids, times, actors, vectors);
            applied := cognifold.execute_plan(tenant, proposal, 'sql', ARRAY[job.node_id], settings);
            plan_id := (applied ->> 'plan_id')::uuid;
            operations := jsonb_array_length(proposal -> 'operations');
            outcome := 'folded';
            IF turn < max_events THEN   -- another may follow, before which this one came
                SELECT n.actor, e.vector INTO seen
                FROM cognifold.node AS n
                LEFT JOIN cognifold.embedding AS e ON e.tenant_id = n.tenant_id AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = n.id
                WHERE n.tenant_id = tenant AND n.id = job.node_id;
                ids := array_prepend(job.node_id, ids);
                times := array_prepend(job.occurred_at, times);
                actors := array_prepend(seen.actor, actors);
                vectors := array_prepend(seen.vector, vectors);
            END IF;
        EXCEPTION
            WHEN query_canceled OR lock_not_available THEN
                RAISE;
            WHEN OTHERS THEN
                GET STACKED DIAGNOSTICS reason = MESSAGE_TEXT, state = RETURNED_SQLSTATE;
                IF cognifold.is_transient(state) THEN
                    RAISE;
                END IF;
                ids := NULL;
                outcome := CASE WHEN job.attempts + 1 >= given_up THEN 'dead' ELSE 'failed' END;
                UPDATE cognifold.work AS w
                SET state = outcome, attempts = w.attempts + 1, error_state = state, error = left(reason, 2000),
                    fence = NULL, lease_until = NULL, worker = NULL,
                    not_before = clock_timestamp() + cognifold.retry_pause(pause, w.attempts + 1)
                WHERE w.tenant_id = tenant AND w.task = 'fold' AND w.node_id = job.node_id
                  AND (w.lease_until IS NULL OR w.lease_until <= clock_timestamp());  -- a worker may have taken it up meanwhile
        END;
        RETURN NEXT;
    END LOOP;
    -- Once nothing is left to fold, or enough has changed: a call that folds one event of many leaves it to a later one.
    PERFORM cognifold.settle_ranks(tenant, enough => CASE WHEN job.node_id IS NULL THEN 1 ELSE cognifold.ranks_due(tenant) END);
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.fold(integer, text) IS
    'Folds up to max_events waiting events, oldest event time first, with the SQL planner, in the caller''s transaction; one row an event: outcome folded, failed (tried again later, reason in event.fold_error) or dead. Two folds of one tenant take turns. Events that a worker has claimed (claim_folds) are left to it until its lease has lapsed. A tenant with an outside embedding model folds only events whose vector is stored (awaiting_embedding lists the others).';
