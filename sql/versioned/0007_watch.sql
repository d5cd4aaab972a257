-- Watch: tables of an application that feed the memory.
--
--   watched table ──trigger──► cognifold_watch.inbox ──take_captures──► node (by store_event), watch_count
--                   └──────────► cognifold_watch.fault                    what could not be captured, and why
--   watch                        how rows of which table become events
--
-- What runs in the application's statement is owned by the owner of the watched table, and so is what may write there: schema
-- cognifold_watch holds nothing but the generated triggers and these two tables. No verb looks for a name in it.

CREATE TABLE cognifold.watch (
    watch_id       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name           text COLLATE "C" NOT NULL UNIQUE CHECK (octet_length(name) BETWEEN 1 AND 200),
    relation       text NOT NULL,
    owner          text NOT NULL,
    created_by     text NOT NULL,
    created_as     text NOT NULL,
    created_at     timestamptz NOT NULL,
    only_tenant    text COLLATE "C",
    operations     text[] NOT NULL,
    source         text NOT NULL,
    given          jsonb NOT NULL,
    places         jsonb NOT NULL,
    templates      jsonb NOT NULL,
    key_places     integer[] NOT NULL,
    columns        jsonb NOT NULL,
    ended_at       timestamptz,
    backfill_after text[],
    backfilled     bigint NOT NULL DEFAULT 0,
    backfilled_at  timestamptz
);
COMMENT ON TABLE cognifold.watch IS 'How rows of which table become events (watch). Of no tenant: each row may go to another. The view watched shows it to who may see it.';
COMMENT ON COLUMN cognifold.watch.name IS 'What unwatch and backfill call it; part of its events'' idempotency keys.';
COMMENT ON COLUMN cognifold.watch.relation IS 'The table''s name when it was watched. Where it is now the trigger says.';
COMMENT ON COLUMN cognifold.watch.owner IS 'The table''s owner, with whose rights the trigger runs: captures by anybody else are not the watch''s.';
COMMENT ON COLUMN cognifold.watch.created_by IS 'The role that called watch: events go only to tenants that it may use.';
COMMENT ON COLUMN cognifold.watch.created_as IS 'The role it had logged in as: where that one is bound to tenants, the binding holds, too.';
COMMENT ON COLUMN cognifold.watch.only_tenant IS 'The tenant of all its rows; NULL where each row says whose it is. An entry of the inbox for another tenant is refused: the table''s owner, who may write there, is not who made the watch.';
COMMENT ON COLUMN cognifold.watch.given IS 'The arguments of watch, as they were given.';
COMMENT ON COLUMN cognifold.watch.places IS 'What stands at each place of inbox.row_values: {"name", "kind": text | number | boolean | json | time}.';
COMMENT ON COLUMN cognifold.watch.templates IS 'Each template as an array of parts: "L" and a literal; "N", "A" or "O" and a place: the row''s value, what it is after, what it was before.';
COMMENT ON COLUMN cognifold.watch.key_places IS 'The places of the primary key''s columns; empty without one.';
COMMENT ON COLUMN cognifold.watch.columns IS 'The columns it needs, with their types when it was made.';
COMMENT ON COLUMN cognifold.watch.ended_at IS 'Since when nothing is captured any more (unwatch); the row goes with the last capture that waits.';
COMMENT ON COLUMN cognifold.watch.backfill_after IS 'The primary key up to which backfill has come; NULL: not begun.';
COMMENT ON COLUMN cognifold.watch.backfilled IS 'Rows that backfill has read.';
COMMENT ON COLUMN cognifold.watch.backfilled_at IS 'When backfill came to the last row (wall clock); NULL: it has not.';

CREATE TABLE cognifold.watch_count (
    tenant_id text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    watch_id  integer NOT NULL REFERENCES cognifold.watch (watch_id) ON DELETE CASCADE,
    events    bigint NOT NULL DEFAULT 0,
    repeated  bigint NOT NULL DEFAULT 0,
    refused   bigint NOT NULL DEFAULT 0,
    taken_at  timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, watch_id)
);
COMMENT ON TABLE cognifold.watch_count IS 'What became of the captured rows, by tenant: a row that only one pick-up at a time writes.';
COMMENT ON COLUMN cognifold.watch_count.events IS 'Captured rows that became events.';
COMMENT ON COLUMN cognifold.watch_count.repeated IS 'Captured rows whose event was there already.';
COMMENT ON COLUMN cognifold.watch_count.refused IS 'Captured rows that remember refused: see cognifold_watch.fault.';

------------------------------------------------------------------------------------------------ what triggers write
CREATE TABLE cognifold_watch.inbox (
    tenant_id   text COLLATE "C" NOT NULL,
    capture_id  bigint GENERATED ALWAYS AS IDENTITY,
    watch_id    integer NOT NULL,
    operation   "char" NOT NULL,
    captured_at timestamptz NOT NULL DEFAULT now(),
    captured_by text COLLATE "C" NOT NULL DEFAULT current_user,
    held        integer NOT NULL DEFAULT 1,
    row_values  text[] NOT NULL,
    old_values  text[],
    PRIMARY KEY (tenant_id, capture_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_insert_scale_factor = 0.5);
-- Entries are short-lived: to compress them would cost the writer more than it saves.
ALTER TABLE cognifold_watch.inbox ALTER row_values SET STORAGE EXTERNAL, ALTER old_values SET STORAGE EXTERNAL;
ALTER TABLE cognifold_watch.inbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE cognifold_watch.inbox FORCE ROW LEVEL SECURITY;
COMMENT ON TABLE cognifold_watch.inbox IS 'Rows that were captured and are no events yet: only ever added to, by triggers in the application''s own statements; taken out by take_captures in the transaction that stores the event. One entry for each row of a small statement, one for 64 rows of a large one; no foreign key, no check that reads: a writer pays for nothing else.';
COMMENT ON COLUMN cognifold_watch.inbox.operation IS 'I, U or D: inserted, updated, deleted; B: read by backfill.';
COMMENT ON COLUMN cognifold_watch.inbox.captured_at IS 'When the application''s transaction began (wall clock): the event''s time where the watch says none.';
COMMENT ON COLUMN cognifold_watch.inbox.captured_by IS 'As whom it was written; no one who may write here may set it. Counts only where it is the watch''s owner.';
COMMENT ON COLUMN cognifold_watch.inbox.held IS 'How many rows of one statement it holds.';
COMMENT ON COLUMN cognifold_watch.inbox.row_values IS 'An array for each row, of the values the watch needs, as text; watch.places says which stands where.';
COMMENT ON COLUMN cognifold_watch.inbox.old_values IS 'The same of the rows before an update.';

CREATE TABLE cognifold_watch.fault (
    fault_id    bigint GENERATED ALWAYS AS IDENTITY,
    watch_id    integer NOT NULL,
    happened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    reported_by text COLLATE "C" NOT NULL DEFAULT current_user,
    operation   text NOT NULL,
    state       text NOT NULL,
    message     text NOT NULL,
    row_key     text,
    lost        bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (watch_id, fault_id)
);
COMMENT ON TABLE cognifold_watch.fault IS 'Rows of watched tables that made no event, and why: the row''s key, and of what it says nothing. At most watch.faults of a watch are kept.';
COMMENT ON COLUMN cognifold_watch.fault.operation IS 'insert, update, delete, backfill or event: in the application''s statement, in backfill, or when the event was to be stored.';
COMMENT ON COLUMN cognifold_watch.fault.message IS 'What went wrong; values quoted in it are left out.';
COMMENT ON COLUMN cognifold_watch.fault.row_key IS 'The primary key of the row, where it is one row''s fault.';
COMMENT ON COLUMN cognifold_watch.fault.lost IS 'How many rows made no event for it.';
