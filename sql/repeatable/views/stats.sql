-- stats: a tenant's memory in numbers; for a monitor with no tenant set, every tenant's.
CREATE OR REPLACE VIEW cognifold.stats WITH (security_invoker = true) AS
SELECT c.tenant_id, c.events, c.concepts, c.intents, c.times, c.edges_live, c.edges_faded,
       c.folds_pending, c.folds_failed, c.folds_dead, c.oldest_pending,
       c.last_event, c.last_fold, c.last_consolidation, c.embedding_model
FROM cognifold.counts() AS c;  -- which decides whose: the tenant that is set, or all of them for cognifold_monitor
COMMENT ON VIEW cognifold.stats IS 'How large a tenant''s memory is and how its work stands: numbers and times, no content. One row for the tenant that is set; with none set, members of cognifold_monitor see a row for each tenant.';
COMMENT ON COLUMN cognifold.stats.concepts IS 'Concepts that were not merged into another.';
COMMENT ON COLUMN cognifold.stats.times IS 'Time anchors: deadlines, dates.';
COMMENT ON COLUMN cognifold.stats.edges_live IS 'Edges of a mass of at least edge.fade at the memory''s clock.';
COMMENT ON COLUMN cognifold.stats.edges_faded IS 'All other edges: kept as provenance.';
COMMENT ON COLUMN cognifold.stats.folds_pending IS 'Events that wait to be folded, those that a worker has in hand among them.';
COMMENT ON COLUMN cognifold.stats.folds_failed IS 'Events whose fold failed, or was turned away by a model''s service (rate_limited), and will be tried again.';
COMMENT ON COLUMN cognifold.stats.folds_dead IS 'Events whose fold failed too often: see fold_error in the view event, and retry.';
COMMENT ON COLUMN cognifold.stats.oldest_pending IS 'Since when the longest waiting pending event waits (wall clock).';
COMMENT ON COLUMN cognifold.stats.last_event IS 'When an event was last stored (wall clock).';
COMMENT ON COLUMN cognifold.stats.last_fold IS 'When an event was last folded (wall clock).';
COMMENT ON COLUMN cognifold.stats.last_consolidation IS 'When a consolidation pass that found something to do last ended (wall clock).';
