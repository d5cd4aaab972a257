-- fail_delivery: says why deliveries could not be dealt with, and when to try again; after the last attempt they are dead.
CREATE OR REPLACE FUNCTION cognifold.fail_delivery(
    consumer text, positions bigint[], fence bigint, reason text, retry_after interval DEFAULT NULL,
    tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE ("position" bigint, state text, not_before timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    settings jsonb := cognifold.settings(tenant);
    known    cognifold.outbox_consumer := cognifold.known_consumer(tenant, consumer);
    jitter   double precision := (settings ->> 'delivery.jitter')::double precision;
BEGIN
    RETURN QUERY
    UPDATE cognifold.delivery AS d
    SET state = CASE WHEN d.attempts >= (settings ->> 'delivery.attempts')::integer THEN 'dead' ELSE 'ready' END,
        not_before = clock_timestamp() + CASE
            WHEN retry_after IS NOT NULL THEN greatest(least(retry_after, interval '1 day'), interval '0')
            ELSE least(cognifold.retry_pause((settings ->> 'delivery.retry_delay')::double precision, d.attempts),
                       make_interval(secs => (settings ->> 'delivery.retry_most')::double precision))
                 * (1 - jitter + 2 * jitter * random()) END,
        failed_at = clock_timestamp(), error = left(fail_delivery.reason, 2000), fence = NULL, lease_until = NULL, worker = NULL
    WHERE d.tenant_id = fail_delivery.tenant AND d.consumer = known.name AND d.position = ANY (positions) AND d.fence = fail_delivery.fence
    RETURNING d.position, d.state, d.not_before;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.fail_delivery(text, bigint[], bigint, text, interval, text) IS
    'Ends a hand-out without an acknowledgement: tried again after retry_after (at most a day; default: delivery.retry_delay, doubled each time up to delivery.retry_most, and delivery.jitter more or less), dead once delivery.attempts are used up; reason is shown in dead_deliveries. Until then nothing that followed of the same intent is handed out. Deliveries that are not under this fence any more are left alone and not returned.';
