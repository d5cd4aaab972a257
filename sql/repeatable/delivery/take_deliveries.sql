-- take_deliveries: hands a consumer's next deliveries to one of its workers for a while.
-- The caller commits at once: what follows may take long, and no transaction is open then.
CREATE OR REPLACE FUNCTION cognifold.take_deliveries(
    consumer text, max_deliveries integer DEFAULT 10, lease interval DEFAULT NULL, worker text DEFAULT NULL,
    tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (
    "position" bigint, id uuid, intent_id uuid, kind text, moment timestamptz, recorded_at timestamptz, fence bigint, attempt integer, payload jsonb
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    settings jsonb := cognifold.settings(tenant);
    known    cognifold.outbox_consumer := cognifold.known_consumer(tenant, consumer);
    given_up integer := (settings ->> 'delivery.attempts')::integer;
    stretch  integer := (settings ->> 'delivery.window')::integer;
    wanted   integer := least(max_deliveries, (settings ->> 'delivery.batch')::integer);
    term     interval := coalesce(lease, make_interval(secs => (settings ->> 'delivery.lease')::double precision));
    claimant text := left(coalesce(NULLIF(btrim(worker), ''), format('session %s of %s', pg_backend_pid(), session_user)), 200);
    clock    timestamptz := clock_timestamp();
    ticket   bigint := nextval('cognifold.delivery_fence');
    given    bigint[] := '{}';
    more     bigint[];
    passed   bigint;
BEGIN
    IF max_deliveries IS NULL OR max_deliveries < 1 THEN
        RAISE EXCEPTION 'take_deliveries: max_deliveries = % is not a positive number', coalesce(max_deliveries::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Say how many deliveries to take at most.';
    ELSIF NOT (term > interval '0' AND term <= interval '1 day') THEN
        RAISE EXCEPTION 'take_deliveries: lease = % is not more than nothing and at most a day', term
            USING ERRCODE = 'CF010', HINT = 'Give the time that the batch takes at most, or leave it out (setting delivery.lease).';
    ELSIF known.disabled_at IS NOT NULL THEN
        RAISE EXCEPTION 'consumer "%" is disabled since %: %', consumer, known.disabled_at, coalesce(known.disabled_reason, 'no reason was given')
            USING ERRCODE = 'CF032', HINT = 'enable_consumer lets it go on where it stood.';
    END IF;

    -- 1. What the clock did. Where somebody changes the graph just then, the next call will say so: no consumer waits for a fold.
    IF EXISTS (SELECT FROM cognifold.intent_alarm AS a WHERE a.tenant_id = take_deliveries.tenant AND a.due_at <= cognifold.now()) THEN
        PERFORM FROM cognifold.graph_turn AS t WHERE t.tenant_id = take_deliveries.tenant FOR NO KEY UPDATE SKIP LOCKED;
        IF FOUND THEN
            PERFORM cognifold.write_alarms(take_deliveries.tenant, cognifold.now());
        END IF;
    END IF;

    -- 2. Handed out again and again and never acknowledged: who takes such a one does not live to say why.
    UPDATE cognifold.delivery AS d
    SET state = 'dead', fence = NULL, lease_until = NULL, worker = NULL, failed_at = clock,
        error = format('handed out %s times, never acknowledged; last to %s', d.attempts, d.worker)
    WHERE d.tenant_id = take_deliveries.tenant AND d.consumer = take_deliveries.consumer AND d.position IN (
        SELECT l.position FROM cognifold.delivery AS l
        WHERE l.tenant_id = take_deliveries.tenant AND l.consumer = take_deliveries.consumer AND l.state = 'ready'
          AND l.lease_until <= clock AND l.attempts >= given_up
        FOR UPDATE SKIP LOCKED);

    LOOP
        -- 3. Of each intent the earliest, unless somebody has it or it waits for its next attempt.
        WITH next AS MATERIALIZED (
            SELECT d.position
            FROM cognifold.delivery AS d
            WHERE d.tenant_id = take_deliveries.tenant AND d.consumer = take_deliveries.consumer AND d.state = 'ready' AND d.not_before <= clock
              AND (d.lease_until IS NULL OR d.lease_until <= clock)
              AND NOT EXISTS (SELECT FROM cognifold.delivery AS e
                              WHERE e.tenant_id = take_deliveries.tenant AND e.consumer = take_deliveries.consumer AND e.node_id = d.node_id
                                AND e.state = 'ready' AND e.position < d.position)
            ORDER BY d.position
            LIMIT wanted - cardinality(given)
            FOR UPDATE SKIP LOCKED
        ), handed AS (
            UPDATE cognifold.delivery AS d
            SET attempts = d.attempts + 1, fence = ticket, lease_until = clock + term, worker = claimant
            FROM next AS n
            WHERE d.tenant_id = take_deliveries.tenant AND d.consumer = take_deliveries.consumer AND d.position = n.position
            RETURNING d.position
        )
        SELECT coalesce(array_agg(h.position), '{}') INTO more FROM handed AS h;
        given := given || more;
        EXIT WHEN cardinality(given) >= wanted;

        -- 4. The cursor goes on, in one statement, and so over what one snapshot sees. Another worker may be at it already.
        SELECT c.cursor_position INTO passed FROM cognifold.outbox_consumer AS c
        WHERE c.tenant_id = take_deliveries.tenant AND c.name = take_deliveries.consumer FOR NO KEY UPDATE SKIP LOCKED;
        EXIT WHEN NOT FOUND;
        WITH ahead AS MATERIALIZED (
            SELECT o.position, o.node_id, o.kind, o.category
            FROM cognifold.outbox AS o
            WHERE o.tenant_id = take_deliveries.tenant AND o.position > passed
            ORDER BY o.position LIMIT stretch
        ), due AS (
            INSERT INTO cognifold.delivery (tenant_id, consumer, position, node_id)
            SELECT take_deliveries.tenant, take_deliveries.consumer, a.position, a.node_id
            FROM ahead AS a
            WHERE (known.kinds IS NULL OR a.kind = ANY (known.kinds)) AND (known.categories IS NULL OR a.category = ANY (known.categories))
            ON CONFLICT ON CONSTRAINT delivery_pkey DO NOTHING
        )
        UPDATE cognifold.outbox_consumer AS c SET cursor_position = l.last
        FROM (SELECT max(a.position) AS last FROM ahead AS a) AS l
        WHERE c.tenant_id = take_deliveries.tenant AND c.name = take_deliveries.consumer AND l.last IS NOT NULL;
        EXIT WHEN NOT FOUND;
    END LOOP;

    RETURN QUERY
    SELECT o.position, o.id, o.node_id, o.kind, o.moment, o.recorded_at, ticket, d.attempts::integer, cognifold.delivery_payload(take_deliveries.tenant, o)
    FROM cognifold.delivery AS d
    JOIN cognifold.outbox AS o ON o.tenant_id = d.tenant_id AND o.position = d.position
    WHERE d.tenant_id = take_deliveries.tenant AND d.consumer = take_deliveries.consumer AND d.position = ANY (given)
    ORDER BY o.position;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.take_deliveries(text, integer, interval, text, text) IS
    'Hands out up to max_deliveries (at most the setting delivery.batch) of what has happened to intents and this consumer has not acknowledged, in order, until lease has passed (default: setting delivery.lease), and counts the attempt. Of each intent the earliest alone: the next one follows once that is acknowledged, or is dead. All rows of one call have one fence: give it to acknowledge, fail_delivery or release_deliveries. id is the same at every attempt. payload: {tenant, intent_id, position, kind, from_status, status, category, at, wake_at, deadline, expires_at, event_id, plan_id, title, reason, density, pressure, readiness, theta, evidence: [event ids]}; title and reason are the intent''s words now, null once it is gone. Commit before the work begins. Any number of workers may call for one consumer. Notes what has woken or expired first (note_alarms). After delivery.attempts hand-outs that nobody acknowledged it is dead. Raises CF031 for a consumer that there is not, CF032 for one that is disabled, CF010 for a number or lease out of range.';
