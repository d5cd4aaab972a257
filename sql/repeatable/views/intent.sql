-- intent: goals nobody asked for.
CREATE OR REPLACE VIEW cognifold.intent WITH (security_invoker = true, security_barrier = true) AS
SELECT n.tenant_id, n.id, n.title, c.content, n.occurred_at, n.recorded_at, n.reasoning, c.payload, n.plan_id
FROM cognifold.node AS n
JOIN cognifold.node_content AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
WHERE n.tenant_id = cognifold.current_tenant() AND n.kind = 'intent';
COMMENT ON VIEW cognifold.intent IS 'Intents that plans have added.';
