-- Forgetting: what is left of what was forgotten (who, when, by what sort of condition, how many), and what must be found to forget it.
--
--   forgetting ──► forgotten_key   keys of events that are not taken in again, as hashes
--   plan_mention                   which nodes a plan's words speak of, beyond the rows that its journal holds

ALTER TABLE cognifold.plan
    -- It is made again at once, with one more.
    -- squawk-ignore ban-drop-constraint
    DROP CONSTRAINT plan_proposer_check,
    ADD CONSTRAINT plan_proposer_check CHECK (proposer IN ('sql', 'llm', 'user', 'consolidate', 'intent', 'undo', 'forget')),
    ADD COLUMN forgotten_at timestamptz;
COMMENT ON COLUMN cognifold.plan.forgotten_at IS 'Since when part of what it said or changed is forgotten (wall clock): its words are gone, and it cannot be undone. NULL: it is whole.';

CREATE TABLE cognifold.forgetting (
    tenant_id    text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    forget_id    uuid NOT NULL,
    plan_id      uuid NOT NULL,
    forgotten_at timestamptz NOT NULL,
    forgotten_by text COLLATE "C" NOT NULL,
    criteria     text[] COLLATE "C" NOT NULL CHECK (cardinality(criteria) > 0),
    counts       jsonb NOT NULL CHECK (jsonb_typeof(counts) = 'object'),
    PRIMARY KEY (tenant_id, forget_id),
    FOREIGN KEY (tenant_id, plan_id) REFERENCES cognifold.plan (tenant_id, plan_id)
);
COMMENT ON TABLE cognifold.forgetting IS 'What is left of what was forgotten: that it was, and how much. No word, name, id or time of it.';
COMMENT ON COLUMN cognifold.forgetting.plan_id IS 'Its place among the plans (proposer forget). It has no journal and cannot be undone.';
COMMENT ON COLUMN cognifold.forgetting.forgotten_at IS 'When it was forgotten (wall clock).';
COMMENT ON COLUMN cognifold.forgetting.forgotten_by IS 'The database role that asked for it; "watch" where a watched row was deleted.';
COMMENT ON COLUMN cognifold.forgetting.criteria IS 'Which sorts of condition were given, never their values: node_ids, idempotency_key, source, source_key, actor, subject, since, until; watch.';
COMMENT ON COLUMN cognifold.forgetting.counts IS 'How much of what went, was worded anew or was blotted out: what forget returned.';

CREATE TABLE cognifold.forgotten_key (
    tenant_id text COLLATE "C" NOT NULL,
    key_hash  bytea NOT NULL,
    node_id   uuid NOT NULL,
    forget_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, key_hash),
    FOREIGN KEY (tenant_id, forget_id) REFERENCES cognifold.forgetting (tenant_id, forget_id) ON DELETE CASCADE
);
COMMENT ON TABLE cognifold.forgotten_key IS 'Idempotency keys of events that were forgotten, as hashes: a replay of such an event is not stored again.';
COMMENT ON COLUMN cognifold.forgotten_key.key_hash IS 'SHA-256 of the key (forgotten_hash).';
COMMENT ON COLUMN cognifold.forgotten_key.node_id IS 'The id the event had: what remember still answers, though nothing has it any more.';

CREATE TABLE cognifold.plan_mention (
    tenant_id text COLLATE "C" NOT NULL,
    node_id   uuid NOT NULL,
    plan_id   uuid NOT NULL,
    PRIMARY KEY (tenant_id, node_id, plan_id),
    FOREIGN KEY (tenant_id, plan_id) REFERENCES cognifold.plan (tenant_id, plan_id) ON DELETE CASCADE
);
COMMENT ON TABLE cognifold.plan_mention IS 'Nodes that a plan''s operations name and its journal does not (what an insight rests on, what a rewording is grounded in): with the journal, all plans that speak of a node. No foreign key to node: it may be gone, and come back by an undo.';

-- A step of an intent stays when the answer that brought it about is forgotten.
ALTER TABLE cognifold.intent_transition
    ALTER event_id DROP NOT NULL,
    -- It is made again at once; a tenant's answers are few.
    -- squawk-ignore ban-drop-constraint
    DROP CONSTRAINT intent_transition_tenant_id_event_id_fkey,
    -- squawk-ignore adding-foreign-key-constraint
    ADD CONSTRAINT intent_transition_tenant_id_event_id_fkey FOREIGN KEY (tenant_id, event_id)
        REFERENCES cognifold.node (tenant_id, id) ON DELETE SET NULL (event_id);
COMMENT ON COLUMN cognifold.intent_transition.event_id IS 'The person''s answer, or the event that says it is done; NULL once that is forgotten.';

-- What refers to a node is found by it: else each deletion would read these tables as a whole.
CREATE INDEX intent_transition_by_event ON cognifold.intent_transition (tenant_id, event_id);
CREATE INDEX intent_feedback_by_event ON cognifold.intent_feedback (tenant_id, event_id);
CREATE INDEX intent_feedback_by_intent ON cognifold.intent_feedback (tenant_id, node_id);
CREATE INDEX outbox_by_event ON cognifold.outbox (tenant_id, event_id) WHERE event_id IS NOT NULL;
