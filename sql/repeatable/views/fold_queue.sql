-- fold_queue: the events that are not folded yet: where each stands, who has it, and why it failed.
CREATE OR REPLACE VIEW cognifold.fold_queue WITH (security_invoker = true, security_barrier = true) AS
SELECT w.tenant_id, w.node_id AS event_id,
       CASE WHEN w.lease_until > clock_timestamp() THEN 'leased' ELSE w.state END AS state,
       w.attempts, NULLIF(w.not_before, '-infinity') AS not_before, w.lease_until, w.worker, w.error_state, w.error, w.enqueued_at, w.occurred_at, n.title
FROM cognifold.work AS w
JOIN cognifold.node AS n ON n.tenant_id = w.tenant_id AND n.id = w.node_id
WHERE w.tenant_id = cognifold.current_tenant() AND w.task = 'fold';
COMMENT ON VIEW cognifold.fold_queue IS 'Events that wait to be folded. state: ready (also after a lease has lapsed), leased (a worker has it), failed (tried again from not_before on), rate_limited (the model''s service asked to wait until not_before), dead (not tried again before retry).';
COMMENT ON COLUMN cognifold.fold_queue.attempts IS 'How often its fold was begun.';
COMMENT ON COLUMN cognifold.fold_queue.not_before IS 'It is not taken up before this (wall clock); NULL: at any time.';
COMMENT ON COLUMN cognifold.fold_queue.lease_until IS 'Until when its worker has it (wall clock); NULL if none has.';
COMMENT ON COLUMN cognifold.fold_queue.worker IS 'Who has it, or had it when the lease lapsed.';
COMMENT ON COLUMN cognifold.fold_queue.error_state IS 'What kind of failure the last one was: a SQLSTATE, or a word such as RateLimited.';
COMMENT ON COLUMN cognifold.fold_queue.error IS 'The reason of the last failure, in words; NULL if there was none.';
COMMENT ON COLUMN cognifold.fold_queue.enqueued_at IS 'Since when it waits (wall clock).';
COMMENT ON COLUMN cognifold.fold_queue.occurred_at IS 'Event time: what waits is folded in this order.';
