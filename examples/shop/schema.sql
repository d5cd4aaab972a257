-- The shop: what it sells, what comes back, what is said about it. Nothing here knows of a memory.
CREATE TABLE shop.purchase (
    id         bigint PRIMARY KEY,
    customer   text NOT NULL,
    item       text NOT NULL,
    status     text NOT NULL DEFAULT 'placed' CHECK (status IN ('placed', 'sent')),
    changed_at timestamptz NOT NULL
);

CREATE TABLE shop.ticket (
    id           bigint PRIMARY KEY,
    customer     text NOT NULL,
    machine      text NOT NULL,
    subject      text NOT NULL,
    status       text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'solved')),
    promised_for date,
    changed_at   timestamptz NOT NULL
);

CREATE TABLE shop.note (
    id         bigint PRIMARY KEY,
    ticket_id  bigint NOT NULL REFERENCES shop.ticket,
    author     text NOT NULL,
    body       text NOT NULL,
    written_at timestamptz NOT NULL
);

GRANT USAGE ON SCHEMA shop TO example_shop_app;
GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA shop TO example_shop_app;
