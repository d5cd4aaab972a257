-- intent_action: what could be done about each intent, step by step, and how far each step has come.
CREATE OR REPLACE VIEW cognifold.intent_action WITH (security_invoker = true, security_barrier = true) AS
SELECT a.tenant_id, a.node_id AS intent_id, a.position, a.what, a.due_at, a.status, a.proposer, a.event_id, a.as_of, a.plan_id
FROM cognifold.intent_action_state AS a
WHERE a.tenant_id = cognifold.current_tenant() AND cognifold.known_at() IS NULL
UNION ALL
SELECT a.* FROM cognifold.actions_at(cognifold.current_tenant(), cognifold.known_at()) AS a WHERE cognifold.known_at() IS NOT NULL;
COMMENT ON VIEW cognifold.intent_action IS 'Steps of intents: proposed by rule (propose_actions), by a model or by a user, never carried out by the memory. With cognifold.known_at set, as they were known then.';
COMMENT ON COLUMN cognifold.intent_action.position IS 'Place among the steps of its intent, from 1.';
COMMENT ON COLUMN cognifold.intent_action.what IS 'The step in words; by rule a sentence of the evidence.';
COMMENT ON COLUMN cognifold.intent_action.due_at IS 'By when; NULL for at no set time.';
COMMENT ON COLUMN cognifold.intent_action.status IS 'proposed, accepted, done or skipped.';
COMMENT ON COLUMN cognifold.intent_action.proposer IS 'Whose plan set it first: intent (rules), llm or user.';
COMMENT ON COLUMN cognifold.intent_action.event_id IS 'The event it is taken from; NULL for one that was stated freely.';
COMMENT ON COLUMN cognifold.intent_action.as_of IS 'The memory''s clock when it was last set.';
COMMENT ON COLUMN cognifold.intent_action.plan_id IS 'The plan that last set it.';
