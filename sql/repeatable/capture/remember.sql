-- remember: the one way in. Stores an event verbatim and queues it to be folded, in the caller's transaction; an event
-- that is already there is not stored twice, and its id is returned.
CREATE OR REPLACE FUNCTION cognifold.remember(
    content            text,
    title              text DEFAULT NULL,
    occurred_at        timestamptz DEFAULT NULL,
    source             text DEFAULT NULL,
    actor              text DEFAULT NULL,
    payload            jsonb DEFAULT NULL,
    emotional_weight   double precision DEFAULT NULL,
    arousal            double precision DEFAULT NULL,
    memory_type        text DEFAULT NULL,
    privacy_level      text DEFAULT NULL,
    idempotency_key    text DEFAULT NULL,
    ended_at           timestamptz DEFAULT NULL,
    valence            text DEFAULT NULL,
    media              jsonb DEFAULT NULL,
    source_agent       text DEFAULT NULL,
    occurred_precision text DEFAULT NULL,
    tenant             text DEFAULT cognifold.required_tenant()
) RETURNS uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.scope_tenant(tenant);
    event_id uuid;
    ringing  boolean := cognifold.doorbell_is_quiet(tenant);
BEGIN
    SELECT s.event_id INTO event_id FROM cognifold.store_event(
        content, title, occurred_at, source, actor, payload, emotional_weight, arousal, memory_type, privacy_level,
        idempotency_key, ended_at, valence, media, source_agent, occurred_precision, tenant) AS s;
    IF ringing THEN
        PERFORM pg_notify('cognifold_work', '');
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN event_id;
END
$$;
COMMENT ON FUNCTION cognifold.remember(text, text, timestamptz, text, text, jsonb, double precision, double precision, text, text, text, timestamptz, text, jsonb, text, text, text) IS
    'Stores an event verbatim, in the caller''s transaction, and queues it to be folded; returns its id. content: the text itself. title: a heading (default: its first words). occurred_at: event time (default: the memory''s clock). source, actor: where it came from, who did it. payload: free JSON; a "deadline" in it is understood. emotional_weight in [-1, 1], arousal in [0, 1], valence positive|negative|neutral|mixed: where none of the three is given, affect reads them in the text (setting remember.affect). memory_type episodic|semantic|procedural|associative, privacy_level private|shared|public. idempotency_key: two calls with one key are one event, and the first stays as it was; without a key, a call equal in every argument at an equal time is one event, and so is one without a time within a minute (setting remember.repeat_window). An event that was forgotten is not stored again by its key: the id it had is returned, and nothing has that id. Raises CF010 for a value out of range, CF001 to CF004 for the tenant.';
