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
    tenant_id      text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id),
    run_id         uuid NOT NULL,
    as_of          timestamptz NOT NULL,
    state          text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'finished', 'interrupted')),
    phase          text NOT NULL DEFAULT 'recalls' CHECK (phase IN ('recalls', 'decay', 'concepts', 'events', 'archive', 'ranks')),
    started_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL,
    finished_at    timestamptz,
    steps          integer NOT NULL DEFAULT 0 CHECK (steps >= 0),
    settled        bigint NOT NULL DEFAULT 0 CHECK (settled >= 0),
    plans          integer NOT NULL DEFAULT 0 CHECK (plans >= 0),
    counts         jsonb NOT NULL DEFAULT '{}',
    more           boolean,
    merges_allowed bigint CHECK (merges_allowed >= 0),
    time_budget    interval,
    row_budget     bigint CHECK (row_budget > 0),
    place          uuid,
    until          uuid,
    held           interval NOT NULL DEFAULT '0',
    holder         integer NOT NULL,
    leased_until   timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, run_id),
    CHECK ((state = 'finished') = (finished_at IS NOT NULL))
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX consolidation_run_running ON cognifold.consolidation_run (tenant_id) WHERE state = 'running';
COMMENT ON TABLE cognifold.consolidation_run IS 'The passes that found something to do, each with how far it is: a pass that runs in steps (consolidate_step) is seen at work, one in a transaction of the caller when that commits. A pass that finds nothing writes nothing. The plans of a pass are those that proposer consolidate applied from started_at to updated_at.';
COMMENT ON COLUMN cognifold.consolidation_run.as_of IS 'The moment of the memory''s clock it decides by.';
COMMENT ON COLUMN cognifold.consolidation_run.state IS 'running; finished, whole or as far as its budget went (more); interrupted: whoever ran it is gone, and a later pass has taken up what was left.';
COMMENT ON COLUMN cognifold.consolidation_run.phase IS 'What the next step looks at first: recalls that were noted, edges that have faded, changed concepts, changed and due events, idle events, ranks (and edges once more).';
COMMENT ON COLUMN cognifold.consolidation_run.started_at IS 'Wall clock, as updated_at (its last step) and finished_at.';
COMMENT ON COLUMN cognifold.consolidation_run.steps IS 'How many steps it made.';
COMMENT ON COLUMN cognifold.consolidation_run.settled IS 'How many recalls, edges, concepts and events it has dealt with: what row_budget limits.';
COMMENT ON COLUMN cognifold.consolidation_run.plans IS 'How many plans it wrote.';
COMMENT ON COLUMN cognifold.consolidation_run.counts IS 'What consolidate returns as counts, so far.';
COMMENT ON COLUMN cognifold.consolidation_run.more IS 'Whether its budget ended it before all was settled; NULL while it runs.';
COMMENT ON COLUMN cognifold.consolidation_run.merges_allowed IS 'How many concepts it may still absorb (consolidate.merge_share); NULL until it comes to the concepts. A pass that takes up an interrupted one absorbs no more than that one had left.';
COMMENT ON COLUMN cognifold.consolidation_run.time_budget IS 'It ends after the step in which so much wall-clock time has passed since it began. NULL: no limit.';
COMMENT ON COLUMN cognifold.consolidation_run.row_budget IS 'It ends when it has settled so much. NULL: no limit.';
COMMENT ON COLUMN cognifold.consolidation_run.place IS 'The last changed concept (or event) of the phase that is settled: each is looked at once a pass, in order of their ids, whatever changes meanwhile ...';
COMMENT ON COLUMN cognifold.consolidation_run.until IS '... up to this one, the last when the phase began: what comes later is for the next pass, so that a pass ends however much is being stored.';
COMMENT ON COLUMN cognifold.consolidation_run.held IS 'How long its last step kept the graph (wall clock): what consolidation_pause goes by.';
COMMENT ON COLUMN cognifold.consolidation_run.holder IS 'The server process (pg_backend_pid) that made its last step.';
COMMENT ON COLUMN cognifold.consolidation_run.leased_until IS 'Wall clock. A pass whose holder is gone, or that made no step until then (consolidate.lease), is taken for interrupted.';

ALTER TABLE cognifold.node_state ADD COLUMN due_at timestamptz;
CREATE INDEX node_state_due ON cognifold.node_state (tenant_id, consolidation_state, due_at) WHERE due_at IS NOT NULL;
COMMENT ON COLUMN cognifold.node_state.due_at IS 'When a pass must look at the event again of itself: to replay it once more (consolidating), to see whether it lies idle (consolidated), or to bring it back (archived, and asked for often). NULL: not before a plan touches it.';

-- The bulk of archived events: texts and payloads in packs, which compress and have one row and one index entry for dozens of
-- events. An event's row of node_content stays as the key to its place.
CREATE SEQUENCE cognifold.archived_pack AS integer;
COMMENT ON SEQUENCE cognifold.archived_pack IS 'The numbers of packs (archived_content.pack_id): never given twice.';

CREATE TABLE cognifold.archived_content (
    tenant_id text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id),
    pack_id   integer NOT NULL,
    contents  text[] NOT NULL,
    payloads  jsonb[] CHECK (cardinality(payloads) = cardinality(contents)),
    media     jsonb[] CHECK (cardinality(media) = cardinality(contents)),
    PRIMARY KEY (tenant_id, pack_id)
);
-- In the row, not beside it: a text is read by one look at the index and one at the table. (The method is the server's
-- default_toast_compression: not every server has been built with another than pglz.)
ALTER TABLE cognifold.archived_content ALTER contents SET STORAGE MAIN, ALTER payloads SET STORAGE MAIN, ALTER media SET STORAGE MAIN;
COMMENT ON TABLE cognifold.archived_content IS 'What archived events say, verbatim, packed (place_content, its one writer). node_text reads it together with node_content.';
COMMENT ON COLUMN cognifold.archived_content.contents IS 'The texts of about archive.pack bytes of events; node_content.pack_place is the place of each. NULL where one has come back or is gone.';
COMMENT ON COLUMN cognifold.archived_content.payloads IS 'Their payloads at the same places; NULL where none of them has one.';
COMMENT ON COLUMN cognifold.archived_content.media IS 'Their media at the same places; NULL where none of them has any.';

ALTER TABLE cognifold.node_content
    ALTER content DROP NOT NULL,
    ADD COLUMN pack_place smallint,  -- before the wider one: no gap between them
    ADD COLUMN pack_id integer,
    ADD CHECK ((content IS NULL) = (pack_id IS NOT NULL) AND num_nulls(pack_id, pack_place) IN (0, 2)
               AND (pack_id IS NULL OR payload IS NULL AND media IS NULL));
COMMENT ON COLUMN cognifold.node_content.content IS 'The text, verbatim; NULL where it lies in archived_content. Read node_text, which has either.';
COMMENT ON COLUMN cognifold.node_content.pack_id IS 'The row of archived_content that holds text, payload and media instead; NULL for what is here.';
COMMENT ON COLUMN cognifold.node_content.pack_place IS 'Its place in that row''s arrays, from 1.';

CREATE INDEX node_merged ON cognifold.node (tenant_id, merged_into) WHERE merged_into IS NOT NULL;
