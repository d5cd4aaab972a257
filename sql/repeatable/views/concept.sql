-- concept: the patterns the memory has made of events, with their evidence as it weighs now.
CREATE OR REPLACE VIEW cognifold.concept WITH (security_invoker = true, security_barrier = true) AS
SELECT n.tenant_id, n.id, n.title, c.content, s.strength, s.evidence_count,
       coalesce(cognifold.mass(s.evidence_potential, d.decay), 0) AS evidence_mass,
       n.occurred_at, n.recorded_at, n.memory_type, n.reasoning, c.payload, n.merged_into, n.plan_id,
       coalesce(h.access_count, 0) AS access_count, h.last_accessed,
       n.merged_into IS NULL
       -- The strongest edge of each side and rate is the first of an index; it is live or none is.
       AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS e
                       WHERE e.tenant_id = n.tenant_id AND e.target_id = n.id AND e.faded_at IS NULL
                         AND e.rate = 'episodic' AND e.potential >= d.episodic_bar)
       AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS e
                       WHERE e.tenant_id = n.tenant_id AND e.target_id = n.id AND e.faded_at IS NULL
                         AND e.rate = 'semantic' AND e.potential >= d.semantic_bar)
       AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS e
                       WHERE e.tenant_id = n.tenant_id AND e.source_id = n.id AND e.faded_at IS NULL
                         AND e.rate = 'semantic' AND e.potential >= d.semantic_bar) AS dormant
FROM cognifold.node AS n
JOIN cognifold.node_content AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
JOIN cognifold.concept_state AS s ON s.tenant_id = n.tenant_id AND s.node_id = n.id
LEFT JOIN cognifold.node_state AS h ON h.tenant_id = n.tenant_id AND h.node_id = n.id
LEFT JOIN (
    SELECT t.tenant_id, c.decay, c.fade + c.decay AS episodic_bar,
           c.fade + cognifold.decay_integral(t.tenant_id, 'semantic', cognifold.now()) AS semantic_bar
    FROM cognifold.tenant AS t
    CROSS JOIN LATERAL (SELECT cognifold.decay_integral(t.tenant_id, 'episodic', cognifold.now()) AS decay,
                               ln(cognifold.setting('edge.fade', t.tenant_id)) AS fade) AS c
    WHERE t.tenant_id = cognifold.current_tenant()
) AS d ON d.tenant_id = n.tenant_id
WHERE n.tenant_id = cognifold.current_tenant() AND n.kind = 'concept' AND cognifold.known_at() IS NULL
UNION ALL
SELECT c.* FROM cognifold.concepts_at(cognifold.current_tenant(), cognifold.known_at()) AS c WHERE cognifold.known_at() IS NOT NULL;
COMMENT ON VIEW cognifold.concept IS 'Concepts with strength [0, 1], evidence count, and evidence mass at the memory''s clock. With cognifold.known_at set, as they were known then.';
COMMENT ON COLUMN cognifold.concept.dormant IS 'True if every edge of it has faded by the memory''s clock. Recall and explain still find it, and new evidence wakes it.';
COMMENT ON COLUMN cognifold.concept.strength IS 'Confidence, 0 to 1: grows by a step with each reinforcement.';
COMMENT ON COLUMN cognifold.concept.evidence_mass IS 'Summed mass of its stated grounds and reinforces edges at the memory''s clock, from 0 up; each edge adds at most 1 when stated and decays.';
COMMENT ON COLUMN cognifold.concept.occurred_at IS 'Event time of the event it was made at.';
COMMENT ON COLUMN cognifold.concept.recorded_at IS 'When it was made (wall clock).';
COMMENT ON COLUMN cognifold.concept.memory_type IS 'MNE memory type: episodic, semantic, procedural or associative.';
COMMENT ON COLUMN cognifold.concept.merged_into IS 'The concept it was merged into; NULL for one that stands by itself.';
COMMENT ON COLUMN cognifold.concept.last_accessed IS 'When it was last recalled (the memory''s clock); NULL if never.';
