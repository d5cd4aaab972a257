-- doorbell_is_quiet: whether what is stored now should wake the workers: nothing of the tenant waits that has woken them already.
CREATE OR REPLACE FUNCTION cognifold.doorbell_is_quiet(tenant text) RETURNS boolean
LANGUAGE plpgsql VOLATILE   -- also sees what this very statement has stored
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_variable
BEGIN
    -- NOTIFY serialises commits, so while a queue is worked off nobody rings. Nor where it could make a commit fail: with two-phase
    -- commit allowed (PREPARE TRANSACTION refuses it), or with a listener so far behind that the queue of notifications fills up.
    RETURN NOT EXISTS (
            SELECT FROM (SELECT w.not_before, w.lease_until FROM cognifold.work AS w
                         WHERE w.tenant_id = tenant AND w.task = 'fold' AND w.state <> 'dead' LIMIT 10) AS w
            WHERE w.not_before <= clock_timestamp() AND (w.lease_until IS NULL OR w.lease_until <= clock_timestamp()))
        AND current_setting('max_prepared_transactions') = '0'
        AND pg_notification_queue_usage() < 0.25
        AND cognifold.setting('fold.doorbell', tenant) > 0;
END
$$;
COMMENT ON FUNCTION cognifold.doorbell_is_quiet(text) IS
    'Whether remember should ring (NOTIFY cognifold_work, which carries nothing): no event of the tenant waits to be folded, and the notification cannot make the caller''s commit fail. Lost or left out, a worker finds the event at its next look. Internal.';
