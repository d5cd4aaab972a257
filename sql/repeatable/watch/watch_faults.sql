-- watch_faults: captures that no watch will ever take up.
CREATE OR REPLACE FUNCTION cognifold.watch_faults(tenant text) RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT 'a capture belongs to a watch', i.capture_id::text, format('%s rows of watch %s, written by %s', i.held, i.watch_id, i.captured_by)
    FROM cognifold_watch.inbox AS i
    WHERE i.tenant_id = watch_faults.tenant
      AND NOT EXISTS (SELECT FROM cognifold.watch AS w WHERE w.watch_id = i.watch_id AND w.owner = i.captured_by)
$$;
COMMENT ON FUNCTION cognifold.watch_faults(text) IS
    'Captured rows whose watch is gone, or that another role than its owner wrote: they make no events. Internal: for check.';
