-- watch_error: rows of watched tables that made no event, and why.
CREATE OR REPLACE FUNCTION cognifold.watch_errors() RETURNS TABLE (
    name text, happened_at timestamptz, operation text, state text, message text, row_key text, lost bigint
)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
    SELECT w.name, f.happened_at, f.operation, f.state, f.message, f.row_key, f.lost
    FROM cognifold_watch.fault AS f JOIN cognifold.watch AS w USING (watch_id)
    WHERE cognifold.may_see_watch(w.owner, w.created_by) AND f.reported_by IN (w.owner, 'cognifold_owner')
    ORDER BY f.fault_id DESC
$$;
COMMENT ON FUNCTION cognifold.watch_errors() IS 'What the view watch_error shows. Internal.';

CREATE OR REPLACE VIEW cognifold.watch_error WITH (security_invoker = true) AS SELECT e.* FROM cognifold.watch_errors() AS e;
COMMENT ON VIEW cognifold.watch_error IS 'Why rows of watched tables made no events, the latest first: for who may see the watch (watched). A row is told by its key; what it says is not repeated. Of each watch the latest watch.faults are kept.';
COMMENT ON COLUMN cognifold.watch_error.happened_at IS 'Wall clock.';
COMMENT ON COLUMN cognifold.watch_error.operation IS 'insert, update or delete: in the application''s statement; backfill; event: when its event was to be stored.';
COMMENT ON COLUMN cognifold.watch_error.state IS 'The error''s SQLSTATE.';
COMMENT ON COLUMN cognifold.watch_error.lost IS 'How many rows made no event for it.';
