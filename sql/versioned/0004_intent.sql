-- Intents: goals nobody asked for. What is evaluated when, by which words, how far each has come, and what people answered.
--
--   intent_cue, intent_category(_word)   words that tell a need from a habit, and a category from another
--   cue_reading                          what those words say in one event, read once
--   intent_due ──► intent_assessment     concepts and events to look at, and what was found
--   intent_state ── intent_transition    where each intent stands, and how it came there
--   intent_feedback                      what a person's answers did to a category's threshold
--   intent_hold                          concepts that reached their bar while a stronger goal of the same matter was open
--   action_step, intent_action_state     steps proposed for an intent, and how far each has come

------------------------------------------------------------------------------------------------ words
CREATE TABLE cognifold.intent_cue (
    kind        text COLLATE "C" NOT NULL CHECK (kind IN ('need', 'worry', 'failure', 'promise', 'done', 'lack', 'again', 'negation', 'unreal')),
    pattern     text COLLATE "C" NOT NULL,
    weight      double precision NOT NULL CHECK (weight >= 0 AND weight < 1),
    description text NOT NULL,
    PRIMARY KEY (kind, pattern)
);
COMMENT ON TABLE cognifold.intent_cue IS 'Words and phrases that show a goal not met (need, worry, failure, promise) or met (done), those that turn them round (negation, unreal), and small words that are counted, since texts about what is unmet are full of them (lack, again). English. The install keeps it equal to the files.';
COMMENT ON COLUMN cognifold.intent_cue.pattern IS 'A regular expression over whole words, case ignored.';
COMMENT ON COLUMN cognifold.intent_cue.weight IS 'How surely the words mean it, [0, 1); several in one event add as chances do: 1 - product(1 - weight). 0 for negation and unreal, and for lack and again, which are counted.';

CREATE TABLE cognifold.intent_category (
    category    text COLLATE "C" PRIMARY KEY,
    description text NOT NULL
);
COMMENT ON TABLE cognifold.intent_category IS 'What part of life or work an intent belongs to; thresholds are learned for each apart.';

CREATE TABLE cognifold.intent_category_word (
    category text COLLATE "C" NOT NULL REFERENCES cognifold.intent_category (category),
    lexeme   text COLLATE "C" NOT NULL,
    word     text COLLATE "C" NOT NULL,
    PRIMARY KEY (category, lexeme)
);
CREATE INDEX intent_category_word_by_lexeme ON cognifold.intent_category_word (lexeme, category);
COMMENT ON TABLE cognifold.intent_category_word IS 'Words that are typical of a category, with the stem they are looked up by.';

------------------------------------------------------------------------------------------------ evaluation
CREATE TABLE cognifold.cue_reading (
    tenant_id text COLLATE "C" NOT NULL,
    node_id   uuid NOT NULL,
    edition   text NOT NULL,
    need      double precision NOT NULL CHECK (need BETWEEN 0 AND 1),
    done      double precision NOT NULL CHECK (done BETWEEN 0 AND 1),
    about     text[] COLLATE "C" NOT NULL,
    lacks     smallint NOT NULL CHECK (lacks >= 0),
    again     smallint NOT NULL CHECK (again >= 0),
    words     integer NOT NULL CHECK (words >= 0),
    signs     integer NOT NULL GENERATED ALWAYS AS (least(lacks, 3) + least(again, 3)) STORED,
    PRIMARY KEY (tenant_id, node_id),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE cognifold.cue_reading IS 'What the cues say in an event: how surely something is wanted in it, how surely something is done. Derived from its words, read when it or its concept is first evaluated.';
COMMENT ON COLUMN cognifold.cue_reading.about IS 'Lexemes of the sentences that voice the need, without the cues themselves and names of actors: what is needed.';
COMMENT ON COLUMN cognifold.cue_reading.lacks IS 'How many words of lack stand in it ("no", "still", "nobody", "without").';
COMMENT ON COLUMN cognifold.cue_reading.again IS 'How many words of recurrence stand in it ("again", "third", "keeps").';
COMMENT ON COLUMN cognifold.cue_reading.words IS 'How many words it has: what is said in passing is evidence for nothing.';
COMMENT ON COLUMN cognifold.cue_reading.signs IS 'Words of lack and recurrence, up to three of each: more of the same say no more.';
COMMENT ON COLUMN cognifold.cue_reading.edition IS 'Fingerprint of the cues it was read with; another edition is read anew.';

CREATE TABLE cognifold.intent_due (
    tenant_id text COLLATE "C" NOT NULL,
    node_id   uuid NOT NULL,
    due_at    timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, node_id, due_at),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX intent_due_by_time ON cognifold.intent_due (tenant_id, due_at);
COMMENT ON TABLE cognifold.intent_due IS 'Concepts and events emit_intents must look at: at once (-infinity) where an event was folded, evidence or links changed or an intent closed, later where a deadline draws near.';

CREATE TABLE cognifold.intent_assessment (
    tenant_id text COLLATE "C" NOT NULL,
    node_id   uuid NOT NULL,
    as_of     timestamptz NOT NULL,
    density   double precision NOT NULL CHECK (density BETWEEN 0 AND 1),
    pressure  double precision NOT NULL CHECK (pressure BETWEEN 0 AND 1),
    readiness double precision NOT NULL CHECK (readiness BETWEEN 0 AND 1),
    cues      integer NOT NULL CHECK (cues >= 0),
    met       double precision NOT NULL CHECK (met BETWEEN 0 AND 1),
    category  text COLLATE "C" NOT NULL REFERENCES cognifold.intent_category (category),
    theta     double precision NOT NULL,
    PRIMARY KEY (tenant_id, node_id),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 70);
COMMENT ON TABLE cognifold.intent_assessment IS 'How each concept, and each event with a strand, stood when emit_intents last looked: how far it is from becoming an intent, and why.';
COMMENT ON COLUMN cognifold.intent_assessment.readiness IS 'density^(1 - a) * pressure^a, a = intent.cue_share: what is compared with theta.';
COMMENT ON COLUMN cognifold.intent_assessment.cues IS 'How many live events of it voice something unmet.';
COMMENT ON COLUMN cognifold.intent_assessment.met IS 'The share of what was voiced that later events say is done, [0, 1].';

------------------------------------------------------------------------------------------------ lifecycle
CREATE TABLE cognifold.intent_step (
    from_status text NOT NULL CHECK (from_status IN ('pending', 'scheduled', 'deferred', 'resolved', 'rejected', 'expired')),
    to_status   text NOT NULL CHECK (to_status IN ('pending', 'scheduled', 'deferred', 'resolved', 'rejected')),
    PRIMARY KEY (from_status, to_status)
);
COMMENT ON TABLE cognifold.intent_step IS 'The steps an intent may take; any other is refused with CF022. Waking and expiring are no steps: they follow from the clock (intent_status).';
INSERT INTO cognifold.intent_step (from_status, to_status) VALUES
    ('pending', 'scheduled'), ('pending', 'deferred'), ('pending', 'resolved'), ('pending', 'rejected'),
    ('scheduled', 'deferred'), ('scheduled', 'resolved'), ('scheduled', 'rejected'),
    ('deferred', 'scheduled'), ('deferred', 'deferred'), ('deferred', 'resolved'), ('deferred', 'rejected'),
    -- Reopened, by a person alone: what closed it was taken for more than it was.
    ('resolved', 'pending'), ('rejected', 'pending'), ('expired', 'pending');

CREATE TABLE cognifold.intent_state (
    tenant_id  text COLLATE "C" NOT NULL,
    node_id    uuid NOT NULL,
    status     text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'scheduled', 'deferred', 'resolved', 'rejected')),
    wake_at    timestamptz,
    closed_at  timestamptz,
    category   text COLLATE "C" NOT NULL DEFAULT 'other' REFERENCES cognifold.intent_category (category),
    density    double precision CHECK (density BETWEEN 0 AND 1),
    pressure   double precision CHECK (pressure BETWEEN 0 AND 1),
    readiness  double precision CHECK (readiness BETWEEN 0 AND 1),
    theta      double precision,
    deadline   timestamptz,
    expires_at timestamptz,
    PRIMARY KEY (tenant_id, node_id),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE,
    CHECK ((status = 'deferred') = (wake_at IS NOT NULL)),
    CHECK ((status IN ('resolved', 'rejected')) = (closed_at IS NOT NULL))
) WITH (fillfactor = 70);
CREATE INDEX intent_state_open ON cognifold.intent_state (tenant_id, node_id) WHERE closed_at IS NULL;
-- What came last, and whether anything is still to come, without reading all that a large concept rests on.
CREATE INDEX graph_edge_evidence ON cognifold.graph_edge (tenant_id, target_id, stamped_at)
    WHERE target_kind = 'concept' AND type IN ('grounds', 'reinforces') AND NOT inferred;
-- Few edges lead to intents: what an open one is about is found here without reading the others of a node.
CREATE INDEX graph_edge_to_intent ON cognifold.graph_edge (tenant_id, source_id) WHERE target_kind = 'intent';
COMMENT ON TABLE cognifold.intent_state IS 'Where each intent stands. The status as stored: what it is at a moment, intent_status says (a deferred one wakes, an overdue one expires, without a write).';
COMMENT ON COLUMN cognifold.intent_state.wake_at IS 'When a deferred intent is pending again, by itself.';
COMMENT ON COLUMN cognifold.intent_state.closed_at IS 'When it was resolved or rejected; what was voiced until then counts no more.';
COMMENT ON COLUMN cognifold.intent_state.density IS 'Density of its concept when it was emitted; NULL for an intent that a plan of a user stated. So are pressure, readiness and theta.';
COMMENT ON COLUMN cognifold.intent_state.deadline IS 'The earliest deadline ahead that its evidence names; of a day, its beginning.';
COMMENT ON COLUMN cognifold.intent_state.expires_at IS 'From here on an open intent is expired: its deadline and intent.expiry.';

CREATE TABLE cognifold.intent_transition (
    tenant_id   text COLLATE "C" NOT NULL,
    node_id     uuid NOT NULL,
    position    integer NOT NULL CHECK (position > 0),
    from_status text NOT NULL,
    to_status   text NOT NULL,
    at          timestamptz NOT NULL,
    wake_at     timestamptz,
    event_id    uuid NOT NULL,
    plan_id     uuid NOT NULL,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, node_id, position),
    FOREIGN KEY (from_status, to_status) REFERENCES cognifold.intent_step (from_status, to_status),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.intent_state (tenant_id, node_id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, event_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, plan_id) REFERENCES cognifold.plan (tenant_id, plan_id)
);
COMMENT ON TABLE cognifold.intent_transition IS 'The journal of intent_state: each step with the event that brought it about and the plan it was part of. Only ever added to.';
COMMENT ON COLUMN cognifold.intent_transition.event_id IS 'The person''s answer, or the event that says it is done.';

CREATE TABLE cognifold.intent_feedback (
    tenant_id text COLLATE "C" NOT NULL,
    category  text COLLATE "C" NOT NULL REFERENCES cognifold.intent_category (category),
    at        timestamptz NOT NULL,
    event_id  uuid NOT NULL,
    node_id   uuid NOT NULL,
    answer    text NOT NULL CHECK (answer IN ('accept', 'modify', 'defer', 'reject')),
    w         double precision NOT NULL CHECK (w > 0),
    plan_id   uuid NOT NULL,
    PRIMARY KEY (tenant_id, category, at, event_id),
    FOREIGN KEY (tenant_id, event_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, plan_id) REFERENCES cognifold.plan (tenant_id, plan_id)
);
COMMENT ON TABLE cognifold.intent_feedback IS 'Answers to intents and what they made of a category''s weight w: theta = clamp(intent.theta / w). Only ever added to, so that theta is known for any moment.';
COMMENT ON COLUMN cognifold.intent_feedback.w IS 'The moving average just after this answer; from then on it relaxes to 1.';

------------------------------------------------------------------------------------------------ suppression
CREATE TABLE cognifold.intent_hold (
    tenant_id text COLLATE "C" NOT NULL,
    node_id   uuid NOT NULL,
    held_by   uuid NOT NULL,
    as_of     timestamptz NOT NULL,
    reason    text NOT NULL,
    PRIMARY KEY (tenant_id, node_id),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, held_by) REFERENCES cognifold.intent_state (tenant_id, node_id) ON DELETE CASCADE
);
CREATE INDEX intent_hold_by_intent ON cognifold.intent_hold (tenant_id, held_by);
COMMENT ON TABLE cognifold.intent_hold IS 'Concepts (or events) that reached their bar, but only just, with no deadline near, while a stronger intent of the same matter was active: held back, and looked at again when that one closes, is deferred or expires.';
COMMENT ON COLUMN cognifold.intent_hold.held_by IS 'The stronger intent.';
COMMENT ON COLUMN cognifold.intent_hold.as_of IS 'The memory''s clock when it was last held back.';

------------------------------------------------------------------------------------------------ actions
CREATE TABLE cognifold.action_step (
    from_status text NOT NULL CHECK (from_status IN ('proposed', 'accepted', 'done', 'skipped')),
    to_status   text NOT NULL CHECK (to_status IN ('proposed', 'accepted', 'done', 'skipped')),
    PRIMARY KEY (from_status, to_status)
);
COMMENT ON TABLE cognifold.action_step IS 'How the status of a step of an intent may change; any other change is refused with CF036. What is done stays done.';
INSERT INTO cognifold.action_step (from_status, to_status) VALUES
    ('proposed', 'accepted'), ('proposed', 'done'), ('proposed', 'skipped'),
    ('accepted', 'done'), ('accepted', 'skipped'), ('skipped', 'accepted');

CREATE TABLE cognifold.intent_action_state (
    tenant_id text COLLATE "C" NOT NULL,
    node_id   uuid NOT NULL,
    position  integer NOT NULL CHECK (position BETWEEN 1 AND 100),
    what      text NOT NULL CHECK (what ~ '\S'),
    due_at    timestamptz,
    status    text NOT NULL DEFAULT 'proposed' CHECK (status IN ('proposed', 'accepted', 'done', 'skipped')),
    proposer  text NOT NULL,
    event_id  uuid,
    as_of     timestamptz NOT NULL,
    plan_id   uuid NOT NULL,
    PRIMARY KEY (tenant_id, node_id, position),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.intent_state (tenant_id, node_id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, event_id) REFERENCES cognifold.node (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 70);
CREATE INDEX intent_action_by_event ON cognifold.intent_action_state (tenant_id, event_id) WHERE event_id IS NOT NULL;
COMMENT ON TABLE cognifold.intent_action_state IS 'What could be done about an intent, step by step. The memory proposes and keeps count; it carries nothing out.';
COMMENT ON COLUMN cognifold.intent_action_state.proposer IS 'Whose plan set the step first: intent (rules), llm or user.';
COMMENT ON COLUMN cognifold.intent_action_state.event_id IS 'The event the step is taken from; NULL for one that was stated freely.';
COMMENT ON COLUMN cognifold.intent_action_state.as_of IS 'The memory''s clock when it was last set.';
COMMENT ON COLUMN cognifold.intent_action_state.plan_id IS 'The plan that last set it.';

------------------------------------------------------------------------------------------------ what comes again
CREATE INDEX graph_edge_recurring ON cognifold.graph_edge (tenant_id, source_id) WHERE type = 'deadline_for' AND metadata ? 'recurrence';
