-- write_outbox: notes happenings under the tenant's next positions, and rings the doorbell.
CREATE OR REPLACE FUNCTION cognifold.write_outbox(tenant text, happenings jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    number bigint := jsonb_array_length(happenings);
    last   bigint;
BEGIN
    IF number = 0 THEN
        RETURN;
    END IF;
    -- The turn before the head: who holds the head never waits for a turn.
    PERFORM cognifold.take_turn(tenant);
    -- Held to the end of the transaction: the next position is given when this one is there for all to see, or will never be.
    INSERT INTO cognifold.outbox_head AS h (tenant_id, last_position) VALUES (tenant, number)
    ON CONFLICT ON CONSTRAINT outbox_head_pkey DO UPDATE SET last_position = h.last_position + number
    RETURNING h.last_position - number INTO last;
    INSERT INTO cognifold.outbox (
        tenant_id, position, id, node_id, kind, from_status, status, category, moment, wake_at, deadline, expires_at, event_id, plan_id, recorded_at,
        written_by)
    SELECT tenant, last + a.ordinality, cognifold.new_id(), r.node_id, r.kind, r.from_status, r.status, r.category, r.moment, r.wake_at, r.deadline,
           r.expires_at, r.event_id, r.plan_id, clock_timestamp(), pg_current_xact_id()
    FROM jsonb_array_elements(happenings) WITH ORDINALITY AS a (value, ordinality)
    CROSS JOIN LATERAL jsonb_to_record(a.value) AS r (
        node_id uuid, kind text, from_status text, status text, category text, moment timestamptz, wake_at timestamptz, deadline timestamptz,
        expires_at timestamptz, event_id uuid, plan_id uuid)
    ORDER BY a.ordinality;
    IF cognifold.setting('delivery.notify', tenant) > 0 THEN
        PERFORM pg_notify('cognifold_delivery', '');  -- PostgreSQL sends one a transaction, however often it is called
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.write_outbox(text, jsonb) IS
    'Appends happenings [{node_id, kind, from_status, status, category, moment, ...}] to the outbox, in the order given. Takes the tenant''s turn, and holds outbox_head to the end of the transaction. Internal: the triggers of intents and note_alarms call it.';
