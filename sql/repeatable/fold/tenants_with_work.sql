-- tenants_with_work: the one look across tenants, for workers: who has events that may be folded now, and how many.
-- It belongs to cognifold_dispatch, whose policy shows it every tenant's queue and nothing else.
GRANT USAGE, CREATE ON SCHEMA cognifold TO cognifold_dispatch;
GRANT EXECUTE ON FUNCTION cognifold.tenant_permitted(text) TO cognifold_dispatch;
SET LOCAL ROLE cognifold_dispatch;
CREATE OR REPLACE FUNCTION cognifold.tenants_with_work() RETURNS TABLE (tenant text, waiting bigint, oldest timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
    SELECT w.tenant_id, count(*), min(w.enqueued_at)
    FROM cognifold.work AS w
    WHERE w.state <> 'dead' AND w.not_before <= pg_catalog.now() AND (w.lease_until IS NULL OR w.lease_until <= pg_catalog.now())
    GROUP BY w.tenant_id
    HAVING cognifold.tenant_permitted(w.tenant_id)
    ORDER BY min(w.enqueued_at)
$$;
COMMENT ON FUNCTION cognifold.tenants_with_work() IS
    'Tenants with events that may be folded now, the longest waiting first. Names and counts only, no content; a role bound to tenants sees its own. For cognifold_worker.';
REVOKE ALL ON FUNCTION cognifold.tenants_with_work() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION cognifold.tenants_with_work() TO cognifold_worker;
SET LOCAL ROLE cognifold_owner;
REVOKE CREATE ON SCHEMA cognifold FROM cognifold_dispatch;
