-- dead_deliveries: what was given up, and why.
CREATE OR REPLACE VIEW cognifold.dead_deliveries WITH (security_invoker = true, security_barrier = true) AS
SELECT d.tenant_id, d.consumer, d.position, o.id, d.node_id AS intent_id, o.kind, o.moment, d.attempts, d.error, d.failed_at
FROM cognifold.delivery AS d
JOIN cognifold.outbox AS o ON o.tenant_id = d.tenant_id AND o.position = d.position
WHERE d.tenant_id = cognifold.current_tenant() AND d.state = 'dead';
COMMENT ON VIEW cognifold.dead_deliveries IS 'Dead letters: deliveries whose attempts are used up. redeliver has them tried again; drop_consumer forgets them.';
COMMENT ON COLUMN cognifold.dead_deliveries.error IS 'Why the last attempt failed.';
COMMENT ON COLUMN cognifold.dead_deliveries.failed_at IS 'When (wall clock).';
