-- tenants_with_work: the one look across tenants, for workers: who has events that may be folded now.
-- It belongs to cognifold_dispatch, whose policy shows it every tenant's queue and nothing else.
GRANT USAGE, CREATE ON SCHEMA cognifold TO cognifold_dispatch;
GRANT EXECUTE ON FUNCTION cognifold.tenant_permitted(text) TO cognifold_dispatch;
SET LOCAL ROLE cognifold_dispatch;
CREATE OR REPLACE FUNCTION cognifold.tenants_with_work() RETURNS TABLE (tenant text, waiting bigint, oldest timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
SET enable_seqscan = off
SET enable_bitmapscan = off
SET jit = off
AS $$
    -- From tenant to tenant by the indexes, and of each the heads of its queues: what it costs follows the number of tenants that have
    -- something waiting, not how much waits. What watched tables have written becomes events when the tenant is folded.
    WITH RECURSIVE queue (tenant_id) AS (
        SELECT least((SELECT w.tenant_id FROM cognifold.work AS w WHERE w.task = 'fold' AND w.state <> 'dead' ORDER BY w.tenant_id LIMIT 1),
                     (SELECT i.tenant_id FROM cognifold_watch.inbox AS i ORDER BY i.tenant_id LIMIT 1))
        UNION ALL
        SELECT least((SELECT w.tenant_id FROM cognifold.work AS w
                      WHERE w.task = 'fold' AND w.state <> 'dead' AND w.tenant_id > q.tenant_id ORDER BY w.tenant_id LIMIT 1),
                     (SELECT i.tenant_id FROM cognifold_watch.inbox AS i WHERE i.tenant_id > q.tenant_id ORDER BY i.tenant_id LIMIT 1))
        FROM queue AS q WHERE q.tenant_id IS NOT NULL
    )
    SELECT q.tenant_id, h.waiting, h.oldest
    FROM queue AS q
    CROSS JOIN LATERAL (
        SELECT sum(f.events)::bigint AS waiting, min(f.since) AS oldest
        FROM (
            (SELECT 1 AS events, w.enqueued_at AS since FROM cognifold.work AS w
             WHERE w.tenant_id = q.tenant_id AND w.task = 'fold' AND w.state <> 'dead' AND w.not_before <= pg_catalog.now()
               AND (w.lease_until IS NULL OR w.lease_until <= pg_catalog.now())
             ORDER BY w.occurred_at, w.node_id
             LIMIT 100)
            UNION ALL
            (SELECT i.held, i.captured_at FROM cognifold_watch.inbox AS i
             WHERE i.tenant_id = q.tenant_id AND EXISTS (SELECT FROM cognifold.tenant AS t WHERE t.tenant_id = i.tenant_id)
             ORDER BY i.capture_id
             LIMIT 100)
        ) AS f
    ) AS h
    WHERE h.waiting > 0 AND cognifold.tenant_permitted(q.tenant_id)
    ORDER BY h.oldest, q.tenant_id
$$;
COMMENT ON FUNCTION cognifold.tenants_with_work() IS
    'Tenants with events that may be folded now, the longest waiting first: how many wait (of each queue the first 100 entries are counted), and since when the longest of those. Names and counts only, no content; a role bound to tenants sees its own. For cognifold_worker.';
REVOKE ALL ON FUNCTION cognifold.tenants_with_work() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION cognifold.tenants_with_work() TO cognifold_worker;
SET LOCAL ROLE cognifold_owner;
REVOKE CREATE ON SCHEMA cognifold FROM cognifold_dispatch;
