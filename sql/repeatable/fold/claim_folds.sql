-- claim_folds: takes waiting events for a while, oldest event time first, so that nobody else folds them meanwhile.
-- The caller commits at once: what follows may take minutes, and no transaction is open then.
CREATE OR REPLACE FUNCTION cognifold.claim_folds(
    max_events integer DEFAULT 1, lease interval DEFAULT NULL, worker text DEFAULT NULL,
    tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (event_id uuid, fence bigint, attempts integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    own      cognifold.embedding_model := cognifold.tenant_model(tenant);
    given_up integer := cognifold.setting('fold.attempts', tenant)::integer;
    term     interval := coalesce(lease, make_interval(secs => cognifold.setting('fold.lease', tenant)));
    claimant text := coalesce(NULLIF(btrim(worker), ''), format('session %s of %s', pg_backend_pid(), session_user));
    clock    timestamptz := clock_timestamp();
    number   bigint := nextval('cognifold.fold_fence');
BEGIN
    IF max_events IS NULL OR max_events < 1 THEN
        RAISE EXCEPTION 'claim_folds: max_events = % is not a positive number', coalesce(max_events::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Say how many events to claim at most.';
    ELSIF NOT (term > interval '0' AND term <= interval '1 day') THEN
        RAISE EXCEPTION 'claim_folds: lease = % is not more than nothing and at most a day', term
            USING ERRCODE = 'CF010', HINT = 'Give the time that a batch takes at most, or leave it out (setting fold.lease).';
    END IF;

    PERFORM cognifold.take_captures(tenant);   -- what watched tables have written since

    -- Claimed again and again and never finished: whoever takes such an event up does not live to say why.
    UPDATE cognifold.work AS w
    SET state = 'dead', fence = NULL, lease_until = NULL, worker = NULL, error_state = 'CF024',
        error = format('claimed %s times, never finished; last by %s', w.attempts, w.worker)
    WHERE w.tenant_id = claim_folds.tenant AND w.task = 'fold' AND w.node_id IN (
        SELECT l.node_id FROM cognifold.work AS l
        WHERE l.tenant_id = claim_folds.tenant AND l.task = 'fold' AND l.state <> 'dead' AND l.lease_until <= clock AND l.attempts >= given_up
        FOR UPDATE SKIP LOCKED);

    RETURN QUERY
    WITH next AS MATERIALIZED (
        SELECT w.node_id, w.attempts, w.occurred_at
        FROM cognifold.work AS w
        WHERE w.tenant_id = claim_folds.tenant AND w.task = 'fold' AND w.state <> 'dead' AND w.not_before <= clock
          AND (w.lease_until IS NULL OR w.lease_until <= clock)
          -- With an outside model an event is folded once its vector is there.
          AND (own.provider = 'lexicon' OR w.vectorless OR EXISTS (
                  SELECT FROM cognifold.embedding AS e
                  WHERE e.tenant_id = claim_folds.tenant AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = w.node_id))
        ORDER BY w.occurred_at, w.node_id
        LIMIT least(max_events, cognifold.setting('fold.batch', claim_folds.tenant)::integer)
        FOR UPDATE SKIP LOCKED
    ), together AS (   -- what went wrong before goes alone: it does not take others with it again
        SELECT n.node_id, row_number() OVER in_order = 1 OR max(n.attempts) OVER in_order = 0 AS is_chosen
        FROM next AS n
        WINDOW in_order AS (ORDER BY n.occurred_at, n.node_id)
    ), claimed AS (
        UPDATE cognifold.work AS w
        SET state = 'ready', attempts = w.attempts + 1, fence = number, lease_until = clock + term, worker = left(claimant, 200)
        FROM together AS n
        WHERE n.is_chosen AND w.tenant_id = claim_folds.tenant AND w.task = 'fold' AND w.node_id = n.node_id
        RETURNING w.node_id, w.fence, w.attempts, w.occurred_at
    )
    SELECT c.node_id, c.fence, c.attempts::integer FROM claimed AS c ORDER BY c.occurred_at, c.node_id;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.claim_folds(integer, interval, text, text) IS
    'Claims up to max_events waiting events (at most the setting fold.batch), oldest event time first, until lease has passed (default: setting fold.lease), and counts the attempt. An event that was tried before is claimed alone. All rows of one call have one fence: give it to apply_claimed, fold_claimed, fail_claimed or release_claimed. Commit before the work begins. An event whose lease has lapsed may be claimed anew, with a greater fence; after fold.attempts such claims it is dead. Events under a lease are left alone by other claims and by fold. worker says who claims, for the view fold_queue. Raises CF010 for a number or lease out of range.';
