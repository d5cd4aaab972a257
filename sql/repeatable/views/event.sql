-- event: what happened, verbatim, and how far its folding has come.
CREATE OR REPLACE VIEW cognifold.event WITH (security_invoker = true, security_barrier = true) AS
SELECT n.tenant_id, n.id, n.title, c.content, n.occurred_at, n.ended_at, n.occurred_precision, n.source, n.actor, n.source_agent,
       n.memory_type, n.emotional_weight, n.valence, n.arousal, n.affect_inferred, n.privacy_level, c.payload, c.media, n.recorded_at,
       CASE WHEN w.lease_until > clock_timestamp() THEN 'leased'
            WHEN w.state = 'ready' THEN 'pending'
            WHEN w.state IS NOT NULL THEN w.state
            WHEN f.event_id IS NULL THEN 'undone'
            ELSE 'folded' END AS fold_state,
       w.attempts, w.error AS fold_error,
       coalesce(s.access_count, 0) AS access_count, s.last_accessed, coalesce(s.replay_count, 0) AS replay_count,
       coalesce(s.integration_score, 0) AS integration_score, coalesce(s.consolidation_state, 'fresh') AS consolidation_state,
       d.truncated AS indexed_in_part, n.idempotency_key, n.digest
FROM cognifold.node AS n
JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
LEFT JOIN cognifold.work AS w ON w.tenant_id = n.tenant_id AND w.task = 'fold' AND w.node_id = n.id
LEFT JOIN cognifold.folded_event AS f ON f.tenant_id = n.tenant_id AND f.event_id = n.id
LEFT JOIN cognifold.node_state AS s ON s.tenant_id = n.tenant_id AND s.node_id = n.id
LEFT JOIN cognifold.lexical_document AS d ON d.tenant_id = n.tenant_id AND d.node_id = n.id
WHERE n.tenant_id = cognifold.current_tenant() AND n.kind = 'event'
  AND n.recorded_at <= coalesce((SELECT cognifold.known_at()), 'infinity');
COMMENT ON VIEW cognifold.event IS 'What happened, verbatim. fold_state: pending, leased (a worker has it), failed or rate_limited (will be tried again), dead (attempts used up; see fold_error), folded, undone (retry folds it again). With cognifold.known_at set, the events that were recorded by then, with the fold_state and counters of now.';
COMMENT ON COLUMN cognifold.event.indexed_in_part IS 'True if the text was too long to be indexed whole; NULL while not indexed yet.';
COMMENT ON COLUMN cognifold.event.occurred_at IS 'Event time: when it happened. Drives decay and recency.';
COMMENT ON COLUMN cognifold.event.ended_at IS 'End of an episode that lasted (event time); NULL for a moment.';
COMMENT ON COLUMN cognifold.event.source IS 'Where it came from: an application, a table, a channel, a conversation.';
COMMENT ON COLUMN cognifold.event.actor IS 'Who said or did it.';
COMMENT ON COLUMN cognifold.event.memory_type IS 'MNE memory type: episodic, semantic, procedural or associative.';
COMMENT ON COLUMN cognifold.event.emotional_weight IS 'Affect, -1 (bad) to 1 (good); its size makes a memory more salient (MNE).';
COMMENT ON COLUMN cognifold.event.arousal IS 'Activation, 0 (calm) to 1 (excited).';
COMMENT ON COLUMN cognifold.event.affect_inferred IS 'True where emotional_weight, valence and arousal were read in its text (affect), and not said by the caller.';
COMMENT ON COLUMN cognifold.event.recorded_at IS 'When the memory learned it (wall clock).';
COMMENT ON COLUMN cognifold.event.fold_state IS 'pending, leased (a worker has it), failed or rate_limited (will be tried again), dead (attempts used up), folded or undone.';
COMMENT ON COLUMN cognifold.event.fold_error IS 'Why its last fold failed; NULL once it is folded.';
COMMENT ON COLUMN cognifold.event.last_accessed IS 'When it was last recalled (the memory''s clock); NULL if never.';
COMMENT ON COLUMN cognifold.event.integration_score IS '1 - exp(-(live weight to concepts and consolidated events) / 2), in [0, 1] (MNE).';
COMMENT ON COLUMN cognifold.event.digest IS 'SHA-256 over what never changes: content, title, payload, occurred_at, source, actor.';
