-- Delivery: what happens to intents is told to whoever asked to be told, at least once, in order, and lost by nobody.
--
--   intent_state ──► outbox ─────────► delivery ──► a consumer's workers, or a webhook
--   intent_alarm ──►   (positions)      (leases)
--
-- The outbox is written by triggers in the transaction that changes the intent: neither is there without the other. A consumer
-- is a cursor on it; what it has passed and not yet acknowledged are its deliveries.

------------------------------------------------------------------------------------------------ what happened
CREATE TABLE cognifold.outbox_head (
    tenant_id     text COLLATE "C" PRIMARY KEY REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    last_position bigint NOT NULL CHECK (last_position >= 0)
) WITH (fillfactor = 50);
COMMENT ON TABLE cognifold.outbox_head IS 'The last position given in each tenant''s outbox. A row, and not a sequence: who takes a number holds the row to the end of the transaction, so that positions become visible in their order, and a cursor that has passed one has passed all before it.';

CREATE TABLE cognifold.outbox (
    tenant_id   text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    position    bigint NOT NULL CHECK (position > 0),
    id          uuid NOT NULL,
    node_id     uuid NOT NULL,
    kind        text COLLATE "C" NOT NULL CHECK (kind ~ '^[a-z_]{1,63}$'),
    from_status text COLLATE "C",
    status      text COLLATE "C",
    category    text COLLATE "C" NOT NULL,
    moment      timestamptz NOT NULL,
    wake_at     timestamptz,
    deadline    timestamptz,
    expires_at  timestamptz,
    event_id    uuid,
    plan_id     uuid,
    recorded_at timestamptz NOT NULL,
    written_by  xid8 NOT NULL,
    PRIMARY KEY (tenant_id, position)
);
CREATE INDEX outbox_by_intent ON cognifold.outbox (tenant_id, node_id, position);
CREATE INDEX outbox_by_age ON cognifold.outbox (tenant_id, recorded_at);
COMMENT ON TABLE cognifold.outbox IS 'What happened to intents, one row a happening, in order. It holds no words: title and reason are read from the intent when a delivery is handed out, so that what was forgotten is told to nobody. Not journaled: what was told cannot be untold, and an undo is told as well.';
COMMENT ON COLUMN cognifold.outbox.position IS '1, 2, 3, ... in the order of commit.';
COMMENT ON COLUMN cognifold.outbox.id IS 'The same for every attempt and consumer: what a receiver knows a repetition by.';
COMMENT ON COLUMN cognifold.outbox.node_id IS 'The intent; it may be gone by now.';
COMMENT ON COLUMN cognifold.outbox.kind IS 'emitted; a step: scheduled, deferred, resolved, rejected, reopened (pending again); woken and expired, by the clock; changed (category, deadline or expiry); withdrawn (the intent is gone: undone, removed or forgotten).';
COMMENT ON COLUMN cognifold.outbox.status IS 'What the intent was from then on; NULL once it is gone.';
COMMENT ON COLUMN cognifold.outbox.moment IS 'When it happened, on the memory''s clock: of woken and expired the time it was to be, whenever it was noted.';
COMMENT ON COLUMN cognifold.outbox.event_id IS 'Of a step the answer, or the event that says it is done.';
COMMENT ON COLUMN cognifold.outbox.plan_id IS 'The plan it was part of, where it was part of one.';
COMMENT ON COLUMN cognifold.outbox.recorded_at IS 'When it was noted (wall clock).';
COMMENT ON COLUMN cognifold.outbox.written_by IS 'The transaction that noted it, which alone may add to the row.';

CREATE TABLE cognifold.intent_alarm (
    tenant_id text COLLATE "C" NOT NULL,
    node_id   uuid NOT NULL,
    kind      text COLLATE "C" NOT NULL CHECK (kind IN ('woken', 'expired')),
    due_at    timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, node_id, kind),
    FOREIGN KEY (tenant_id, node_id) REFERENCES cognifold.intent_state (tenant_id, node_id) ON DELETE CASCADE
);
CREATE INDEX intent_alarm_by_time ON cognifold.intent_alarm (tenant_id, due_at);
COMMENT ON TABLE cognifold.intent_alarm IS 'Which intents will wake or expire by the clock, and when. Whoever notes one takes its row away, so it is noted once.';

------------------------------------------------------------------------------------------------ who is told
CREATE TABLE cognifold.outbox_consumer (
    tenant_id       text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    name            text COLLATE "C" NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 63),
    kinds           text[] COLLATE "C",
    categories      text[] COLLATE "C",
    cursor_position bigint NOT NULL CHECK (cursor_position >= 0),
    created_at      timestamptz NOT NULL,
    disabled_at     timestamptz,
    disabled_reason text,
    PRIMARY KEY (tenant_id, name)
) WITH (fillfactor = 50);
COMMENT ON TABLE cognifold.outbox_consumer IS 'Who is told what happens to intents, each with a cursor of its own.';
COMMENT ON COLUMN cognifold.outbox_consumer.kinds IS 'The kinds it asked for; NULL: all.';
COMMENT ON COLUMN cognifold.outbox_consumer.categories IS 'The categories it asked for; NULL: all.';
COMMENT ON COLUMN cognifold.outbox_consumer.cursor_position IS 'All up to here is acknowledged, was not asked for, or is among its deliveries.';
COMMENT ON COLUMN cognifold.outbox_consumer.disabled_at IS 'Since when it takes nothing (disable_consumer; a webhook that answered 410 Gone); it misses nothing meanwhile.';

CREATE TABLE cognifold.delivery (
    tenant_id   text COLLATE "C" NOT NULL,
    consumer    text COLLATE "C" NOT NULL,
    position    bigint NOT NULL,
    node_id     uuid NOT NULL,
    state       text COLLATE "C" NOT NULL DEFAULT 'ready' CHECK (state IN ('ready', 'dead')),
    attempts    smallint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    not_before  timestamptz NOT NULL DEFAULT '-infinity',
    fence       bigint,
    lease_until timestamptz,
    worker      text,
    error       text,
    failed_at   timestamptz,
    PRIMARY KEY (tenant_id, consumer, position),
    FOREIGN KEY (tenant_id, consumer) REFERENCES cognifold.outbox_consumer (tenant_id, name) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, position) REFERENCES cognifold.outbox (tenant_id, position) ON DELETE CASCADE,
    CHECK (num_nulls(fence, lease_until, worker) IN (0, 3)),
    CHECK (fence IS NULL OR state = 'ready')
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX delivery_by_intent ON cognifold.delivery (tenant_id, consumer, node_id, position) WHERE state = 'ready';
CREATE INDEX delivery_by_position ON cognifold.delivery (tenant_id, position);
COMMENT ON TABLE cognifold.delivery IS 'What a consumer''s cursor has passed and the consumer has not acknowledged. Acknowledged, a row goes; dead letters stay with their reason.';
COMMENT ON COLUMN cognifold.delivery.state IS 'ready: to be handed out, again from not_before on; dead: attempts used up, redeliver it by hand.';
COMMENT ON COLUMN cognifold.delivery.attempts IS 'How often it was handed out: counted then, so that one that ends its worker is counted, too.';
COMMENT ON COLUMN cognifold.delivery.fence IS 'Number of the hand-out it is under, greater with each; NULL if none. Only who knows it may acknowledge.';
COMMENT ON COLUMN cognifold.delivery.lease_until IS 'Until then nobody else is given it (wall clock); after that anybody may be, and the old fence is worth nothing.';
COMMENT ON COLUMN cognifold.delivery.worker IS 'Who has it, in its own words.';
COMMENT ON COLUMN cognifold.delivery.error IS 'Why the last attempt failed.';

CREATE SEQUENCE cognifold.delivery_fence;
COMMENT ON SEQUENCE cognifold.delivery_fence IS 'The numbers of hand-outs (delivery.fence): never given twice, so that a late worker is told from the one that has the delivery now.';

CREATE TABLE cognifold.webhook (
    tenant_id text COLLATE "C" NOT NULL,
    consumer  text COLLATE "C" NOT NULL,
    url       text NOT NULL CHECK (url ~ '^https?://[^/[:space:]]+' AND octet_length(url) <= 2000),
    secret    text CHECK (secret ~ '^(env:COGNIFOLD_WEBHOOK_[A-Z0-9_]{1,100}|file:[A-Za-z0-9][A-Za-z0-9._-]{0,100})$'),
    headers   jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(headers) = 'object'),
    PRIMARY KEY (tenant_id, consumer),
    FOREIGN KEY (tenant_id, consumer) REFERENCES cognifold.outbox_consumer (tenant_id, name) ON DELETE CASCADE
);
COMMENT ON TABLE cognifold.webhook IS 'Where a consumer''s deliveries are posted to. Written by administrators, read by workers: an address may hold a token, headers do.';
COMMENT ON COLUMN cognifold.webhook.secret IS 'Where the worker finds the signing secret, never the secret itself: env:COGNIFOLD_WEBHOOK_NAME, or file:NAME in its folder of secrets. NULL: not signed.';
