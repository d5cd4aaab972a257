-- release_claimed: gives claimed events back as if they had not been claimed.
CREATE OR REPLACE FUNCTION cognifold.release_claimed(
    event_ids uuid[], fence bigint, tenant text DEFAULT cognifold.required_tenant()
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    released bigint;
BEGIN
    UPDATE cognifold.work AS w
    SET attempts = greatest(w.attempts - 1, 0), fence = NULL, lease_until = NULL, worker = NULL
    WHERE w.tenant_id = release_claimed.tenant AND w.task = 'fold' AND w.node_id = ANY (event_ids) AND w.fence = release_claimed.fence;
    GET DIAGNOSTICS released = ROW_COUNT;
    PERFORM cognifold.leave_tenant(previous);
    RETURN released;
END
$$;
COMMENT ON FUNCTION cognifold.release_claimed(uuid[], bigint, text) IS
    'For a worker that is told to stop: the events may be claimed by others at once, and the attempt is taken off. Returns how many were still under this fence.';
