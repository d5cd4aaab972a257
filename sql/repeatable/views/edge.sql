-- edge: the graph's edges with their weight at the memory's clock.
CREATE OR REPLACE VIEW cognifold.edge WITH (security_invoker = true, security_barrier = true) AS
SELECT e.tenant_id, e.source_id, e.target_id, e.type, e.source_kind, e.target_kind,
       cognifold.mass(e.potential, d.decay) AS mass,
       least(1, cognifold.mass(e.potential, d.decay)) AS weight,
       e.faded_at IS NULL AND cognifold.mass(e.potential, d.decay) >= d.fade AS live,
       e.inferred, e.bidirectional, e.rate, e.potential, e.stamped_at, e.created_at, e.faded_at, e.metadata, e.plan_id
FROM (SELECT g.* FROM cognifold.graph_edge AS g
      WHERE g.tenant_id = cognifold.current_tenant() AND cognifold.known_at() IS NULL
      UNION ALL
      SELECT g.* FROM cognifold.edges_at(cognifold.current_tenant(), cognifold.known_at()) AS g WHERE cognifold.known_at() IS NOT NULL) AS e
JOIN (
    SELECT t.tenant_id, r.rate, cognifold.decay_integral(t.tenant_id, r.rate, cognifold.now()) AS decay,
           cognifold.setting('edge.fade', t.tenant_id) AS fade
    FROM cognifold.tenant AS t CROSS JOIN (VALUES ('episodic'), ('semantic')) AS r (rate)
    WHERE t.tenant_id = cognifold.current_tenant()
) AS d ON d.tenant_id = e.tenant_id AND d.rate = e.rate;
COMMENT ON VIEW cognifold.edge IS 'Edges with mass and weight = least(1, mass) at the memory''s clock; live: not faded. With cognifold.known_at set, as they were known then.';
COMMENT ON COLUMN cognifold.edge.mass IS 'exp(potential - D(clock)): what is left of all that was stated, from 0 up.';
COMMENT ON COLUMN cognifold.edge.weight IS 'least(1, mass), in [0, 1].';
COMMENT ON COLUMN cognifold.edge.live IS 'Whether its mass is at least the setting edge.fade and no pass has taken it out of the live graph.';
COMMENT ON COLUMN cognifold.edge.inferred IS 'No event stated it: neither provenance nor evidence.';
COMMENT ON COLUMN cognifold.edge.rate IS 'Which decay clock it fades by: episodic when its source is an event, else semantic.';
COMMENT ON COLUMN cognifold.edge.potential IS 'ln(mass) + D(stamped_at): a number that time does not change.';
COMMENT ON COLUMN cognifold.edge.stamped_at IS 'Event time of the last statement of it.';
COMMENT ON COLUMN cognifold.edge.created_at IS 'When it was first stated, by the memory''s clock.';
COMMENT ON COLUMN cognifold.edge.faded_at IS 'When a consolidation pass took it out of the live graph (the memory''s clock); NULL while it is in.';
