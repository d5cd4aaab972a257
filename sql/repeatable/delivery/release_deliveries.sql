-- release_deliveries: gives deliveries back as if they had not been handed out.
CREATE OR REPLACE FUNCTION cognifold.release_deliveries(
    consumer text, positions bigint[], fence bigint, tenant text DEFAULT cognifold.required_tenant()
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    known    cognifold.outbox_consumer := cognifold.known_consumer(tenant, consumer);
    released bigint;
BEGIN
    UPDATE cognifold.delivery AS d
    SET attempts = greatest(d.attempts - 1, 0), fence = NULL, lease_until = NULL, worker = NULL
    WHERE d.tenant_id = release_deliveries.tenant AND d.consumer = known.name AND d.position = ANY (positions) AND d.fence = release_deliveries.fence;
    GET DIAGNOSTICS released = ROW_COUNT;
    PERFORM cognifold.leave_tenant(previous);
    RETURN released;
END
$$;
COMMENT ON FUNCTION cognifold.release_deliveries(text, bigint[], bigint, text) IS
    'For a worker that is told to stop and has not begun with them: others may be handed them at once, and the attempt is taken off. Returns how many were still under this fence.';
