-- Governance: who sees what, how long it is kept, and who asked.
--
--   clearance      how private a memory a role may see, by tenant
--   retention ──► retention_run     how long what is kept, and each pass over it
--   audit_read     who asked what, where a tenant keeps account of that
--
-- An event has the privacy_level it was remembered with. What is derived has the most private level of what it is derived
-- from (settle_privacy), in the same column; what was made before this file is private.

------------------------------------------------------------------------------------------------ clearance
CREATE TABLE cognifold.clearance (
    tenant_id text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    role_name text COLLATE "C" NOT NULL,
    level     text COLLATE "C" NOT NULL CHECK (level IN ('private', 'shared', 'public')),
    PRIMARY KEY (tenant_id, role_name)
);
COMMENT ON TABLE cognifold.clearance IS 'How private a memory a role may see (set_clearance). A role that is not listed sees what the row of "public" says, and everything where there is none.';
COMMENT ON COLUMN cognifold.clearance.role_name IS 'A role, compared as written; "public" (which no role can be called) stands for every role without a row of its own.';
COMMENT ON COLUMN cognifold.clearance.level IS 'private: sees all; shared: what is shared or public; public: what is public.';

------------------------------------------------------------------------------------------------ retention
CREATE TABLE cognifold.retention (
    tenant_id      text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    name           text COLLATE "C" NOT NULL CHECK (name ~ '\S' AND octet_length(name) <= 200),
    keep           interval NOT NULL CHECK (keep > '0' AND keep <= '1000 years'),
    action         text COLLATE "C" NOT NULL CHECK (action IN ('archive', 'forget')),
    kind           text COLLATE "C" NOT NULL DEFAULT 'event' CHECK (kind IN ('event', 'concept', 'intent')),
    sources        text[],
    privacy_levels text[] CHECK (privacy_levels <@ ARRAY['private', 'shared', 'public']),
    memory_types   text[] CHECK (memory_types <@ ARRAY['episodic', 'semantic', 'procedural', 'associative']),
    created_by     text NOT NULL,
    created_at     timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, name),
    CHECK (action = 'forget' OR kind = 'event')
);
COMMENT ON TABLE cognifold.retention IS 'How long a tenant keeps what (set_retention). Every rule is applied for itself: what two of them cover goes by the shorter.';
COMMENT ON COLUMN cognifold.retention.keep IS 'From occurred_at (event time) on.';
COMMENT ON COLUMN cognifold.retention.action IS 'archive: texts and payloads of events move to where they take least room, and stay to be found; forget: they are gone (cognifold.forget).';
COMMENT ON COLUMN cognifold.retention.kind IS 'What it is about. Concepts and intents can only be forgotten.';
COMMENT ON COLUMN cognifold.retention.sources IS 'Only what came from one of these; NULL: from anywhere, as NULL means any in the next two.';
COMMENT ON COLUMN cognifold.retention.created_by IS 'The role that last set the rule.';
COMMENT ON COLUMN cognifold.retention.created_at IS 'When it did (wall clock).';

CREATE TABLE cognifold.retention_run (
    tenant_id   text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    run_id      uuid NOT NULL,
    as_of       timestamptz NOT NULL,
    started_at  timestamptz NOT NULL,
    finished_at timestamptz,
    rule        text COLLATE "C",
    place_at    timestamptz,
    place_id    uuid,
    looked_at   bigint NOT NULL DEFAULT 0,
    archived    bigint NOT NULL DEFAULT 0,
    forgotten   bigint NOT NULL DEFAULT 0,
    by_rule     jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, run_id)
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX retention_run_open ON cognifold.retention_run (tenant_id) WHERE finished_at IS NULL;
CREATE INDEX retention_run_ended ON cognifold.retention_run (tenant_id, finished_at) WHERE finished_at IS NOT NULL;
COMMENT ON TABLE cognifold.retention_run IS 'The passes of apply_retention: how far the open one has come, and what came of those that ended. Kept for retention.keep days.';
COMMENT ON COLUMN cognifold.retention_run.as_of IS 'The moment that ages are reckoned to, for the whole pass.';
COMMENT ON COLUMN cognifold.retention_run.started_at IS 'Wall clock, as finished_at; NULL there while it goes on.';
COMMENT ON COLUMN cognifold.retention_run.rule IS 'The rule it is at, by name; rules before it are done. NULL once it has ended.';
COMMENT ON COLUMN cognifold.retention_run.place_at IS 'How far it is in that rule: the event time of the last node it looked at; with place_id its key.';
COMMENT ON COLUMN cognifold.retention_run.by_rule IS 'Nodes that each rule has archived or forgotten, as {name: number}.';

------------------------------------------------------------------------------------------------ audit
CREATE TABLE cognifold.audit_read (
    tenant_id  text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    audit_id   uuid NOT NULL,
    read_at    timestamptz NOT NULL,
    role_name  text NOT NULL,
    login_name text NOT NULL,
    verb       text COLLATE "C" NOT NULL,
    digest     bytea,
    question   text,
    node_ids   uuid[] NOT NULL,
    PRIMARY KEY (tenant_id, audit_id)
);
-- Questions are found by this to be taken out: the account may be long.
CREATE INDEX audit_read_quoting ON cognifold.audit_read (tenant_id) WHERE question IS NOT NULL;
COMMENT ON TABLE cognifold.audit_read IS 'Who asked the memory what, one row a call, while the setting audit.reads is on. Only ever added to; rows go after audit.keep days, and forget takes the questions out.';
COMMENT ON COLUMN cognifold.audit_read.audit_id IS 'A uuid of version 7: later calls have greater ones.';
COMMENT ON COLUMN cognifold.audit_read.read_at IS 'Wall clock.';
COMMENT ON COLUMN cognifold.audit_read.role_name IS 'The role that asked: SET ROLE''s, else the login role.';
COMMENT ON COLUMN cognifold.audit_read.login_name IS 'The role that logged in.';
COMMENT ON COLUMN cognifold.audit_read.verb IS 'recall, explain_recall, context, context_window or explain.';
COMMENT ON COLUMN cognifold.audit_read.digest IS 'SHA-256 of the question in UTF-8; NULL for a verb that asks none.';
COMMENT ON COLUMN cognifold.audit_read.question IS 'The question itself, where audit.reads is 2; NULL once anything of the tenant was forgotten since, for a question does not say whom it quotes.';
COMMENT ON COLUMN cognifold.audit_read.node_ids IS 'What it was told of, best first; of explain the node that was explained. An id of what was forgotten since leads nowhere.';

ALTER TABLE cognifold.node ADD COLUMN recorded_by text;
COMMENT ON COLUMN cognifold.node.recorded_by IS 'The role that remembered an event; NULL for what plans make (plan.made_by) and for what was there before this was kept.';
ALTER TABLE cognifold.plan ADD COLUMN made_by text;
COMMENT ON COLUMN cognifold.plan.made_by IS 'The role that had it applied; NULL for plans from before this was kept.';
