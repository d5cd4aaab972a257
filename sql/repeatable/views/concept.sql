-- concept: the patterns the memory has made of events, with their evidence as it weighs now.
CREATE OR REPLACE VIEW cognifold.concept WITH (security_invoker = true, security_barrier = true) AS
SELECT n.tenant_id, n.id, n.title, c.content, s.strength, s.evidence_count,
       coalesce(cognifold.mass(s.evidence_potential, d.decay), 0) AS evidence_mass,
       n.occurred_at, n.recorded_at, n.memory_type, n.reasoning, c.payload, n.merged_into, n.plan_id,
       coalesce(h.access_count, 0) AS access_count, h.last_accessed
FROM cognifold.node AS n
JOIN cognifold.node_content AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
JOIN cognifold.concept_state AS s ON s.tenant_id = n.tenant_id AND s.node_id = n.id
LEFT JOIN cognifold.node_state AS h ON h.tenant_id = n.tenant_id AND h.node_id = n.id
LEFT JOIN (
    SELECT t.tenant_id, cognifold.decay_integral(t.tenant_id, 'episodic', cognifold.now()) AS decay FROM cognifold.tenant AS t
) AS d ON d.tenant_id = n.tenant_id
WHERE n.tenant_id = cognifold.current_tenant() AND n.kind = 'concept';
COMMENT ON VIEW cognifold.concept IS 'Concepts with strength [0, 1], evidence count, and evidence mass at the memory''s clock.';
