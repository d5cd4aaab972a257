-- purge_outbox: removes what is old and every consumer has acknowledged.
CREATE OR REPLACE FUNCTION cognifold.purge_outbox(
    older_than interval DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    term     interval := coalesce(older_than, make_interval(secs => 86400 * cognifold.setting('delivery.retention', tenant)));
    passed   bigint;  -- what every consumer's cursor has passed; NULL without consumers
    removed  bigint;
BEGIN
    IF term < interval '0' THEN
        RAISE EXCEPTION 'purge_outbox: older_than = % is less than nothing', term
            USING ERRCODE = 'CF010', HINT = 'Say how long to keep what is acknowledged, or leave it out (setting delivery.retention).';
    END IF;
    -- Cursors stand still meanwhile, and nobody repeats what is about to go.
    PERFORM FROM cognifold.outbox_consumer AS c WHERE c.tenant_id = tenant ORDER BY c.name FOR UPDATE;
    passed := (SELECT min(c.cursor_position) FROM cognifold.outbox_consumer AS c WHERE c.tenant_id = tenant);
    DELETE FROM cognifold.outbox AS o
    WHERE o.tenant_id = tenant AND o.recorded_at <= clock_timestamp() - least(term, interval '1000 years')
      AND (passed IS NULL OR o.position <= passed)
      AND NOT EXISTS (SELECT FROM cognifold.delivery AS d WHERE d.tenant_id = tenant AND d.position = o.position);
    GET DIAGNOSTICS removed = ROW_COUNT;
    PERFORM cognifold.leave_tenant(previous);
    RETURN removed;
END
$$;
COMMENT ON FUNCTION cognifold.purge_outbox(interval, text) IS
    'Removes from the outbox what was noted longer ago than older_than (default: setting delivery.retention) and every consumer has acknowledged or not asked for; dead letters hold theirs, and so does a disabled consumer. Without consumers age alone decides. Returns how many. cognifold deliver calls it, too.';
