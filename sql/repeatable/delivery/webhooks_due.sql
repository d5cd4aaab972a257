-- webhooks_due: the look across tenants of a worker that posts: which webhooks have something to be told now.
-- It belongs to cognifold_dispatch, whose policy shows it positions, times and names, and no content.
GRANT USAGE, CREATE ON SCHEMA cognifold TO cognifold_dispatch;
GRANT EXECUTE ON FUNCTION cognifold.tenant_permitted(text) TO cognifold_dispatch;
GRANT SELECT ON cognifold.outbox_head, cognifold.outbox_consumer, cognifold.delivery, cognifold.intent_alarm TO cognifold_dispatch;
GRANT SELECT (tenant_id, consumer) ON cognifold.webhook TO cognifold_dispatch;
SET LOCAL ROLE cognifold_dispatch;
CREATE OR REPLACE FUNCTION cognifold.webhooks_due() RETURNS TABLE (tenant text, consumer text)
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
    SELECT c.tenant_id, c.name
    FROM cognifold.webhook AS w
    JOIN cognifold.outbox_consumer AS c ON c.tenant_id = w.tenant_id AND c.name = w.consumer
    WHERE c.disabled_at IS NULL AND cognifold.tenant_permitted(c.tenant_id)
      AND (c.cursor_position < (SELECT h.last_position FROM cognifold.outbox_head AS h WHERE h.tenant_id = c.tenant_id)
           OR EXISTS (SELECT FROM cognifold.delivery AS d
                      WHERE d.tenant_id = c.tenant_id AND d.consumer = c.name AND d.state = 'ready' AND d.not_before <= pg_catalog.now()
                        AND (d.lease_until IS NULL OR d.lease_until <= pg_catalog.now())
                        AND NOT EXISTS (SELECT FROM cognifold.delivery AS e
                                        WHERE e.tenant_id = c.tenant_id AND e.consumer = c.name AND e.node_id = d.node_id
                                          AND e.state = 'ready' AND e.position < d.position))
           OR EXISTS (SELECT FROM cognifold.intent_alarm AS a WHERE a.tenant_id = c.tenant_id AND a.due_at <= pg_catalog.now()))
    ORDER BY c.tenant_id, c.name
$$;
COMMENT ON FUNCTION cognifold.webhooks_due() IS
    'Tenants and their consumers with a webhook that something may be posted to now. Names only, no content; a role bound to tenants sees its own. For cognifold_worker.';
REVOKE ALL ON FUNCTION cognifold.webhooks_due() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION cognifold.webhooks_due() TO cognifold_worker;
SET LOCAL ROLE cognifold_owner;
REVOKE CREATE ON SCHEMA cognifold FROM cognifold_dispatch;
