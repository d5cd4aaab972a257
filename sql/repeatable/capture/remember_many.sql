-- remember_many: remember for a JSON array of events, all of them or none, in the order given.
CREATE OR REPLACE FUNCTION cognifold.remember_many(events jsonb, tenant text DEFAULT cognifold.required_tenant())
RETURNS TABLE ("position" integer, event_id uuid, is_new boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 200
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    fields   CONSTANT text[] := ARRAY[
        'content', 'title', 'occurred_at', 'source', 'actor', 'payload', 'emotional_weight', 'arousal', 'memory_type', 'privacy_level',
        'idempotency_key', 'ended_at', 'valence', 'media', 'source_agent', 'occurred_precision'];
    previous text := cognifold.enter_tenant(tenant);
    given    record;
    started  timestamptz;
    wrong    text;
    remedy   text;
BEGIN
    IF events IS NULL OR jsonb_typeof(events) <> 'array' THEN
        RAISE EXCEPTION 'remember_many: events is not a JSON array' USING ERRCODE = 'CF010', HINT = 'Give [{"content": ...}, ...].';
    END IF;
    -- A field by another name would be a value lost without a word.
    SELECT CASE WHEN f.name IS NULL THEN format('event %s is not a JSON object', e.ordinality - 1)
                ELSE format('event %s has a field %L, which remember does not know', e.ordinality - 1, f.name) END
    INTO wrong
    FROM jsonb_array_elements(events) WITH ORDINALITY AS e (body, ordinality)
    LEFT JOIN LATERAL jsonb_object_keys(CASE jsonb_typeof(e.body) WHEN 'object' THEN e.body ELSE '{}' END) AS f (name)
           ON f.name <> ALL (fields)
    WHERE f.name IS NOT NULL OR jsonb_typeof(e.body) <> 'object'
    ORDER BY e.ordinality, f.name
    LIMIT 1;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'remember_many: %', wrong
            USING ERRCODE = 'CF010', HINT = format('Nothing was stored. The fields are %s.', array_to_string(fields, ', '));
    END IF;

    FOR given IN
        SELECT e.ordinality::integer - 1 AS place, r.*
        FROM jsonb_array_elements(events) WITH ORDINALITY AS e (body, ordinality)
        CROSS JOIN LATERAL jsonb_to_record(e.body) AS r (
            content text, title text, occurred_at timestamptz, source text, actor text, payload jsonb, emotional_weight double precision,
            arousal double precision, memory_type text, privacy_level text, idempotency_key text, ended_at timestamptz, valence text,
            media jsonb, source_agent text, occurred_precision text)
        ORDER BY e.ordinality
    LOOP
        "position" := given.place;
        started := clock_timestamp();
        event_id := cognifold.remember(
            given.content, given.title, given.occurred_at, given.source, given.actor, given.payload, given.emotional_weight,
            given.arousal, given.memory_type, given.privacy_level, given.idempotency_key, given.ended_at, given.valence,
            given.media, given.source_agent, given.occurred_precision, tenant);
        is_new := EXISTS (SELECT FROM cognifold.node AS n
                          WHERE n.tenant_id = tenant AND n.id = event_id AND n.recorded_at >= started);
        RETURN NEXT;
    END LOOP;
    PERFORM cognifold.leave_tenant(previous);
EXCEPTION
    WHEN SQLSTATE 'CF010' THEN
        GET STACKED DIAGNOSTICS wrong = MESSAGE_TEXT, remedy = PG_EXCEPTION_HINT;
        RAISE EXCEPTION '%', CASE WHEN "position" IS NULL OR jsonb_array_length(events) = 1 THEN wrong
                                  ELSE format('event %s: %s', "position", wrong) END
            USING ERRCODE = 'CF010', HINT = remedy;
    WHEN data_exception THEN
        -- A value that is no number or no time, before remember saw it.
        GET STACKED DIAGNOSTICS wrong = MESSAGE_TEXT;
        RAISE EXCEPTION 'remember_many: %', wrong
            USING ERRCODE = 'CF010', HINT = 'Nothing was stored. Times are ISO 8601 with an offset, numbers are JSON numbers.';
END
$$;
COMMENT ON FUNCTION cognifold.remember_many(jsonb, text) IS
    'remember for a JSON array of objects with its arguments'' names, in one transaction; per event its place from 0, its id, and whether it is new. Raises CF010 with the place of the event for a value out of range or a field that remember does not know.';
