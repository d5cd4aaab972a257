-- due_jobs: what claim_jobs would find: for whoever rings doorbells and leaves the claiming to others.
CREATE OR REPLACE FUNCTION cognifold.due_jobs() RETURNS TABLE (tenant text, job text, slot text)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
    SELECT d.tenant, d.job, d.slot FROM cognifold.schedules_due(cognifold.now()) AS d
$$;
COMMENT ON FUNCTION cognifold.due_jobs() IS
    'Jobs that may be claimed now, of all tenants that the role may use; whether there is anything to do is asked at the claim. For cognifold_worker.';
