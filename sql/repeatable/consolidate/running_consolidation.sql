-- running_consolidation: the pass that somebody is running in steps just now, if any.
CREATE OR REPLACE FUNCTION cognifold.running_consolidation(tenant text) RETURNS uuid
LANGUAGE sql VOLATILE   -- asked again and again while one waits: each time as it is then
SET search_path FROM CURRENT
AS $$
    SELECT r.run_id FROM cognifold.consolidation_run AS r
    WHERE r.tenant_id = running_consolidation.tenant AND r.state = 'running'
      -- Whose server process is gone is gone himself, after a crash for example; the lease is for whoever keeps the connection.
      AND r.leased_until > clock_timestamp() AND EXISTS (SELECT FROM pg_stat_get_activity(r.holder))
$$;
COMMENT ON FUNCTION cognifold.running_consolidation(text) IS
    'The run_id of a pass in steps that is at work: its lease has not run out (consolidate.lease) and the server process of its last step is there; else NULL. Internal.';
