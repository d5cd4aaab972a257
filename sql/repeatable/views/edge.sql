-- edge: the graph's edges with their weight at the memory's clock.
CREATE OR REPLACE VIEW cognifold.edge WITH (security_invoker = true, security_barrier = true) AS
SELECT e.tenant_id, e.source_id, e.target_id, e.type, e.source_kind, e.target_kind,
       cognifold.mass(e.potential, d.decay) AS mass,
       least(1, cognifold.mass(e.potential, d.decay)) AS weight,
       e.faded_at IS NULL AND cognifold.mass(e.potential, d.decay) >= d.fade AS live,
       e.inferred, e.bidirectional, e.rate, e.potential, e.stamped_at, e.created_at, e.faded_at, e.metadata, e.plan_id
FROM cognifold.graph_edge AS e
JOIN (
    SELECT t.tenant_id, r.rate, cognifold.decay_integral(t.tenant_id, r.rate, cognifold.now()) AS decay,
           cognifold.setting('edge.fade', t.tenant_id) AS fade
    FROM cognifold.tenant AS t CROSS JOIN (VALUES ('episodic'), ('semantic')) AS r (rate)
    WHERE t.tenant_id = cognifold.current_tenant()
) AS d ON d.tenant_id = e.tenant_id AND d.rate = e.rate
WHERE e.tenant_id = cognifold.current_tenant();
COMMENT ON VIEW cognifold.edge IS 'Edges with mass and weight = least(1, mass) at the memory''s clock; live: not faded.';
