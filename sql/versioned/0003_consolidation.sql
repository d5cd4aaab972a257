-- The sleep pass: what has changed since the last one, when an event must be looked at again, and what each pass did.
CREATE TABLE cognifold.consolidation_dirty (
    tenant_id text COLLATE "C" NOT NULL,
    kind      text NOT NULL CHECK (kind IN ('event', 'concept')),
    node_id   uuid NOT NULL,
    PRIMARY KEY (tenant_id, kind, node_id),
    FOREIGN KEY (tenant_id, node_id, kind) REFERENCES cognifold.node (tenant_id, id, kind) ON DELETE CASCADE
);
COMMENT ON TABLE cognifold.consolidation_dirty IS 'What changed since the last pass, written in the transaction that changed it: concepts that were made, renamed, linked or gained evidence; events that were folded or became evidence. A pass takes out what it has settled.';

CREATE TABLE cognifold.consolidation_run (
    tenant_id   text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id),
    run_id      uuid NOT NULL,
    as_of       timestamptz NOT NULL,
    started_at  timestamptz NOT NULL,
    finished_at timestamptz NOT NULL,
    report      jsonb NOT NULL,
    PRIMARY KEY (tenant_id, run_id)
);
COMMENT ON TABLE cognifold.consolidation_run IS 'The passes that found something to do. One that finds nothing writes nothing.';
COMMENT ON COLUMN cognifold.consolidation_run.as_of IS 'The moment of the memory''s clock it decided by.';
COMMENT ON COLUMN cognifold.consolidation_run.started_at IS 'Wall clock.';
COMMENT ON COLUMN cognifold.consolidation_run.report IS 'What consolidate returned: {"counts": {...}, "plans": [plan ids]}.';

ALTER TABLE cognifold.node_state ADD COLUMN due_at timestamptz;
CREATE INDEX node_state_due ON cognifold.node_state (tenant_id, due_at) WHERE due_at IS NOT NULL;
COMMENT ON COLUMN cognifold.node_state.due_at IS 'When a pass must look at the event again of itself: to replay it (consolidating), or to see whether it lies idle (consolidated). NULL: not before a plan touches it.';

CREATE INDEX node_merged ON cognifold.node (tenant_id, merged_into) WHERE merged_into IS NOT NULL;
