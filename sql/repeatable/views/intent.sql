-- intent: goals nobody asked for, and where each stands at the memory's clock.
CREATE OR REPLACE VIEW cognifold.intent WITH (security_invoker = true, security_barrier = true) AS
SELECT n.tenant_id, n.id, n.title, c.content, n.occurred_at, n.recorded_at, n.reasoning, c.payload, n.plan_id,
       x.status,
       s.category, s.density, s.pressure, s.readiness, s.theta, s.deadline, s.wake_at, s.expires_at, s.closed_at,
       (SELECT count(*) FROM cognifold.graph_edge AS e
        WHERE e.tenant_id = n.tenant_id AND e.target_id = n.id AND e.type = 'grounds' AND NOT e.inferred) AS evidence_count,
       (SELECT count(*) FROM cognifold.graph_edge AS e
        WHERE e.tenant_id = n.tenant_id AND e.target_id = n.id AND e.type = 'user_feedback') AS answer_count,
       CASE WHEN x.status IN ('pending', 'scheduled', 'deferred')
            THEN cognifold.intent_value(s.readiness, a.acceptance, s.deadline, k.now, k.foresight) END AS value
FROM cognifold.node AS n
JOIN cognifold.node_content AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
JOIN cognifold.intent_state AS s ON s.tenant_id = n.tenant_id AND s.node_id = n.id
CROSS JOIN (SELECT cognifold.now() AS now, cognifold.setting('intent.foresight', cognifold.current_tenant()) AS foresight) AS k
CROSS JOIN LATERAL (SELECT cognifold.intent_status(s.status, s.wake_at, s.expires_at, k.now) AS status) AS x
LEFT JOIN cognifold.category_acceptance(cognifold.current_tenant(), cognifold.now()) AS a ON a.category = s.category
WHERE n.tenant_id = cognifold.current_tenant() AND n.kind = 'intent' AND cognifold.known_at() IS NULL
UNION ALL
SELECT i.* FROM cognifold.intents_at(cognifold.current_tenant(), cognifold.known_at()) AS i WHERE cognifold.known_at() IS NOT NULL;
COMMENT ON VIEW cognifold.intent IS 'Intents: title and content (why, in the evidence''s own words), status at the memory''s clock (pending, scheduled, deferred, resolved, rejected, expired), category, the numbers it was emitted by, and how much it rests on. With cognifold.known_at set, as they were known then.';
COMMENT ON COLUMN cognifold.intent.density IS 'Density of its concept when it was emitted, [0, 1]; NULL with pressure, readiness and theta for one that a user''s plan stated.';
COMMENT ON COLUMN cognifold.intent.pressure IS 'How much of what its events said was unmet, [0, 1).';
COMMENT ON COLUMN cognifold.intent.readiness IS 'What density and pressure make together: it reached theta.';
COMMENT ON COLUMN cognifold.intent.theta IS 'The bar of its category when it was emitted.';
COMMENT ON COLUMN cognifold.intent.deadline IS 'The earliest deadline ahead that its evidence named; of a day, its beginning.';
COMMENT ON COLUMN cognifold.intent.wake_at IS 'When a deferred one returns.';
COMMENT ON COLUMN cognifold.intent.evidence_count IS 'Events it is grounded in.';
COMMENT ON COLUMN cognifold.intent.occurred_at IS 'Event time of what it was emitted at.';
COMMENT ON COLUMN cognifold.intent.recorded_at IS 'When it was emitted (wall clock).';
COMMENT ON COLUMN cognifold.intent.expires_at IS 'When an open one expires by itself (the memory''s clock); NULL for never.';
COMMENT ON COLUMN cognifold.intent.closed_at IS 'When it was resolved or rejected (the memory''s clock); NULL while open.';
COMMENT ON COLUMN cognifold.intent.value IS 'What showing it now is worth, [0, 2]: see ranked_intents. NULL for one that is closed or expired.';
