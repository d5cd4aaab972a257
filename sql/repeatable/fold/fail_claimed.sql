-- fail_claimed: says why claimed events could not be folded, and when to try again; after the last attempt they are dead.
CREATE OR REPLACE FUNCTION cognifold.fail_claimed(
    event_ids uuid[], fence bigint, state text, error_state text, error text, retry_after interval DEFAULT NULL,
    tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (event_id uuid, outcome text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    given_up integer := cognifold.setting('fold.attempts', tenant)::integer;
    pause    double precision := cognifold.setting('fold.retry_delay', tenant);
BEGIN
    IF fail_claimed.state IS NULL OR fail_claimed.state NOT IN ('failed', 'rate_limited', 'dead') THEN
        RAISE EXCEPTION 'fail_claimed: state = % is not failed, rate_limited or dead', coalesce(quote_literal(fail_claimed.state), 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Use release_claimed to give an event back without a reason.';
    END IF;
    RETURN QUERY
    UPDATE cognifold.work AS w
    SET state = CASE WHEN fail_claimed.state = 'failed' AND w.attempts >= given_up THEN 'dead' ELSE fail_claimed.state END,
        -- Who was turned away at the door has not been tried.
        attempts = CASE fail_claimed.state WHEN 'rate_limited' THEN greatest(w.attempts - 1, 0) ELSE w.attempts END,
        not_before = clock_timestamp() + CASE
            WHEN retry_after IS NOT NULL THEN greatest(least(retry_after, interval '1 day'), interval '0')
            WHEN fail_claimed.state = 'failed' THEN cognifold.retry_pause(pause, w.attempts)
            ELSE make_interval(secs => pause) END,
        error_state = fail_claimed.error_state, error = left(fail_claimed.error, 2000),
        fence = NULL, lease_until = NULL, worker = NULL
    WHERE w.tenant_id = fail_claimed.tenant AND w.task = 'fold' AND w.node_id = ANY (event_ids) AND w.fence = fail_claimed.fence
    RETURNING w.node_id, w.state;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.fail_claimed(uuid[], bigint, text, text, text, interval, text) IS
    'Ends a claim without a fold; outcome is the state each event is in now. state failed: tried again after retry_after (default: fold.retry_delay, doubled each time), dead once fold.attempts are used up; rate_limited: tried again after retry_after, the attempt is taken off; dead: not tried again before retry. error_state (a SQLSTATE, or a word) and error are shown in fold_queue. Events that are not under this fence any more are left alone and not returned.';
