-- insight: what was found out and holds, each statement with what it rests on.
CREATE OR REPLACE VIEW cognifold.insight WITH (security_invoker = true, security_barrier = true) AS
SELECT i.tenant_id, i.insight_id, i.node_id, n.title AS about, i.kind, i.insight, i.confidence, i.abstraction_level, i.derived_from, i.figures,
       i.as_of, i.created_at, i.plan_id
FROM cognifold.insight_state AS i
LEFT JOIN cognifold.node AS n ON n.tenant_id = i.tenant_id AND n.id = i.node_id
WHERE i.tenant_id = cognifold.current_tenant() AND i.closed_at IS NULL AND cognifold.known_at() IS NULL
UNION ALL
SELECT i.* FROM cognifold.insights_at(cognifold.current_tenant(), cognifold.known_at()) AS i WHERE cognifold.known_at() IS NOT NULL;
COMMENT ON VIEW cognifold.insight IS 'What was found out and holds (MNE insights): recurring statements, regularities in time, trends, and what several concepts have in common. With cognifold.known_at set, as it was known then.';
COMMENT ON COLUMN cognifold.insight.node_id IS 'The concept it is about; NULL where it is about a person or thing over all concepts.';
COMMENT ON COLUMN cognifold.insight.about IS 'Title of that concept.';
COMMENT ON COLUMN cognifold.insight.kind IS 'statement, actor, time_of_day, weekday, interval, shift, frequency, tone, shared; or a word of a user''s plan.';
COMMENT ON COLUMN cognifold.insight.insight IS 'The finding in words.';
COMMENT ON COLUMN cognifold.insight.confidence IS 'From amount and consistency, in [0, 1]: the lower end of the 95 % Wilson interval of the share of the evidence that fits.';
COMMENT ON COLUMN cognifold.insight.abstraction_level IS 'specific: of this evidence; general: a regularity or trend in time; principle: the same of several concepts.';
COMMENT ON COLUMN cognifold.insight.derived_from IS 'The events it rests on; of a principle the concepts.';
COMMENT ON COLUMN cognifold.insight.figures IS 'held of total; chance, the probability of so much by chance; value, what was found.';
COMMENT ON COLUMN cognifold.insight.as_of IS 'The memory''s clock when it was last stated.';
COMMENT ON COLUMN cognifold.insight.created_at IS 'The memory''s clock when it was first stated.';
