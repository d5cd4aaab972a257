-- delivery_lag: how far each consumer is behind.
CREATE OR REPLACE VIEW cognifold.delivery_lag WITH (security_invoker = true, security_barrier = true) AS
SELECT c.tenant_id, c.name AS consumer, c.kinds, c.categories, c.cursor_position,
       coalesce((SELECT h.last_position FROM cognifold.outbox_head AS h WHERE h.tenant_id = c.tenant_id), 0) AS last_position,
       a.number + d.ready AS waiting, d.leased, d.retried, d.dead, least(a.oldest, d.oldest) AS oldest_waiting,
       c.created_at, c.disabled_at, c.disabled_reason
FROM cognifold.outbox_consumer AS c
CROSS JOIN LATERAL (
    SELECT count(*) AS number, min(o.recorded_at) AS oldest
    FROM cognifold.outbox AS o
    WHERE o.tenant_id = c.tenant_id AND o.position > c.cursor_position
      AND (c.kinds IS NULL OR o.kind = ANY (c.kinds)) AND (c.categories IS NULL OR o.category = ANY (c.categories))
) AS a
CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE d.state = 'ready') AS ready, count(*) FILTER (WHERE d.lease_until > clock_timestamp()) AS leased,
           count(*) FILTER (WHERE d.state = 'ready' AND d.error IS NOT NULL) AS retried, count(*) FILTER (WHERE d.state = 'dead') AS dead,
           min(o.recorded_at) FILTER (WHERE d.state = 'ready') AS oldest
    FROM cognifold.delivery AS d
    JOIN cognifold.outbox AS o ON o.tenant_id = d.tenant_id AND o.position = d.position
    WHERE d.tenant_id = c.tenant_id AND d.consumer = c.name
) AS d
WHERE c.tenant_id = cognifold.current_tenant();
COMMENT ON VIEW cognifold.delivery_lag IS 'Consumers of the outbox, and how far each is behind.';
COMMENT ON COLUMN cognifold.delivery_lag.waiting IS 'What it asked for and has not acknowledged, dead letters aside.';
COMMENT ON COLUMN cognifold.delivery_lag.leased IS 'Of those, what its workers have in hand.';
COMMENT ON COLUMN cognifold.delivery_lag.retried IS 'Of those, what has failed and is tried again.';
COMMENT ON COLUMN cognifold.delivery_lag.dead IS 'What was given up: see dead_deliveries.';
COMMENT ON COLUMN cognifold.delivery_lag.oldest_waiting IS 'When the oldest that waits was noted (wall clock).';
