-- waiting_captures: how many captured rows wait, watch by watch, whatever tenant they are of.
GRANT CREATE ON SCHEMA cognifold TO cognifold_dispatch;
SET LOCAL ROLE cognifold_dispatch;
CREATE OR REPLACE FUNCTION cognifold.waiting_captures() RETURNS TABLE (watch_id integer, waiting bigint, oldest timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
    SELECT i.watch_id, sum(i.held)::bigint, min(i.captured_at) FROM cognifold_watch.inbox AS i GROUP BY i.watch_id
$$;
COMMENT ON FUNCTION cognifold.waiting_captures() IS 'How many captured rows of each watch wait to become events. Internal: only cognifold_owner may call it.';
REVOKE ALL ON FUNCTION cognifold.waiting_captures() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION cognifold.waiting_captures() TO cognifold_owner;
SET LOCAL ROLE cognifold_owner;
REVOKE CREATE ON SCHEMA cognifold FROM cognifold_dispatch;
