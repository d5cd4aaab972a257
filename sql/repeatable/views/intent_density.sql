-- intent_density: how far each concept, and each event that was looked at by itself, is from becoming an intent, and what keeps it.
CREATE OR REPLACE VIEW cognifold.intent_density WITH (security_invoker = true, security_barrier = true) AS
WITH bar AS MATERIALIZED (   -- one look for each category
    SELECT c.category, cognifold.category_theta(cognifold.current_tenant(), c.category, cognifold.now()) AS theta FROM cognifold.intent_category AS c
)
SELECT s.tenant_id, s.node_id, n.kind, n.title, a.category, a.density, a.pressure, a.readiness, b.theta, b.theta - a.readiness AS distance,
       a.cues, a.met, a.as_of AS assessed_at,
       EXISTS (SELECT FROM cognifold.intent_due AS q
               WHERE q.tenant_id = s.tenant_id AND q.node_id = s.node_id AND q.due_at <= cognifold.now()) AS due,
       (SELECT e.target_id
        FROM cognifold.graph_edge AS e
        JOIN cognifold.intent_state AS i ON i.tenant_id = e.tenant_id AND i.node_id = e.target_id AND i.closed_at IS NULL
        WHERE e.tenant_id = s.tenant_id AND e.source_id = s.node_id AND e.target_kind = 'intent' AND e.type = 'triggers'
          AND cognifold.intent_status(i.status, i.wake_at, i.expires_at, cognifold.now()) <> 'expired'
        ORDER BY e.target_id LIMIT 1) AS intent_id,
       h.held_by, h.reason AS held_because
FROM (
    SELECT c.tenant_id, c.node_id FROM cognifold.concept_state AS c
    UNION
    SELECT i.tenant_id, i.node_id FROM cognifold.intent_assessment AS i
) AS s
JOIN cognifold.node AS n ON n.tenant_id = s.tenant_id AND n.id = s.node_id AND n.merged_into IS NULL
LEFT JOIN cognifold.intent_assessment AS a ON a.tenant_id = s.tenant_id AND a.node_id = s.node_id
LEFT JOIN bar AS b ON b.category = a.category
LEFT JOIN cognifold.intent_hold AS h ON h.tenant_id = s.tenant_id AND h.node_id = s.node_id AND h.as_of = a.as_of
WHERE s.tenant_id = cognifold.current_tenant() AND cognifold.known_at() IS NULL;
COMMENT ON VIEW cognifold.intent_density IS 'Each concept, and each event that was looked at by itself, with its density and bar as emit_intents last found them: how far it is from becoming an intent, and what keeps it. The numbers are of assessed_at; density(node_id) has a concept''s of now. Empty where cognifold.known_at is set: assessments are not kept.';
COMMENT ON COLUMN cognifold.intent_density.density IS 'Density of its cluster, [0, 1] (see density); NULL with the other numbers while it has not been looked at.';
COMMENT ON COLUMN cognifold.intent_density.pressure IS 'How much of what its events say is unmet, [0, 1).';
COMMENT ON COLUMN cognifold.intent_density.readiness IS 'density^(1 - a) * pressure^a, a = intent.cue_share: what must reach theta.';
COMMENT ON COLUMN cognifold.intent_density.theta IS 'The bar of its category at the memory''s clock, as answers have moved it.';
COMMENT ON COLUMN cognifold.intent_density.distance IS 'theta - readiness: what it lacks; 0 or less: it is at the bar.';
COMMENT ON COLUMN cognifold.intent_density.cues IS 'How many live events of it voice something unmet.';
COMMENT ON COLUMN cognifold.intent_density.met IS 'The share of what was voiced that later events say is done, [0, 1].';
COMMENT ON COLUMN cognifold.intent_density.assessed_at IS 'The memory''s clock when it was last looked at.';
COMMENT ON COLUMN cognifold.intent_density.due IS 'Whether something has changed since, so that the next emit_intents looks again.';
COMMENT ON COLUMN cognifold.intent_density.intent_id IS 'The open intent it has triggered; NULL for none.';
COMMENT ON COLUMN cognifold.intent_density.held_by IS 'The stronger intent for which it is held back, though at its bar; NULL for none.';
COMMENT ON COLUMN cognifold.intent_density.held_because IS 'Why, in words.';
