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
    -- What else PostgreSQL reads as a time ("now", a bare date, a zone by name) would depend on when and where it is read.
    iso_8601 CONSTANT text := '^\d{4,6}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d(:?\d\d(:?\d\d)?)?)$';
    previous text := cognifold.scope_tenant(tenant);
    given    record;
    wrong    text;
    remedy   text;
    ringing  boolean := cognifold.doorbell_is_quiet(tenant);
BEGIN
    IF events IS NULL OR jsonb_typeof(events) <> 'array' THEN
        RAISE EXCEPTION 'remember_many: events is not a JSON array' USING ERRCODE = 'CF010', HINT = 'Give [{"content": ...}, ...].';
    END IF;
    -- Before anything is stored: a field by another name would be a value lost without a word, and a value of another
    -- type would be stored as something nobody wrote.
    SELECT format('event %s%s', e.ordinality - 1, v.wrong) INTO wrong
    FROM jsonb_array_elements(events) WITH ORDINALITY AS e (body, ordinality)
    LEFT JOIN LATERAL jsonb_each(CASE jsonb_typeof(e.body) WHEN 'object' THEN e.body ELSE '{}' END) AS f (name, value) ON true
    CROSS JOIN LATERAL (
        SELECT CASE
            WHEN jsonb_typeof(e.body) <> 'object' THEN ' is not a JSON object'
            WHEN f.name <> ALL (fields) THEN format(' has a field %L, which remember does not know', f.name)
            WHEN f.name IN ('payload', 'media') OR jsonb_typeof(f.value) = 'null' THEN NULL
            WHEN f.name IN ('occurred_at', 'ended_at') THEN
                CASE WHEN jsonb_typeof(f.value) <> 'string' OR f.value #>> '{}' !~ iso_8601
                     THEN 'is not a time of ISO 8601 with an offset, such as "2026-05-04T09:30:00+02:00"'
                     WHEN NOT pg_input_is_valid(f.value #>> '{}', 'timestamptz') THEN 'is not a time there is' END
            WHEN f.name IN ('emotional_weight', 'arousal') THEN
                CASE WHEN jsonb_typeof(f.value) <> 'number' OR NOT pg_input_is_valid(f.value #>> '{}', 'double precision')
                     THEN 'is not a JSON number that double precision holds' END
            WHEN jsonb_typeof(f.value) <> 'string' THEN 'is not a JSON string'
        END) AS c (reason)
    CROSS JOIN LATERAL (
        SELECT CASE WHEN f.name = ANY (fields)
                    THEN format(': %s = %s %s', f.name, left(f.value::text, 80), c.reason) ELSE c.reason END) AS v (wrong)
    WHERE c.reason IS NOT NULL
    ORDER BY e.ordinality, f.name
    LIMIT 1;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION '%', wrong
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
        SELECT s.event_id, s.is_new INTO event_id, is_new FROM cognifold.store_event(
            given.content, given.title, given.occurred_at, given.source, given.actor, given.payload, given.emotional_weight,
            given.arousal, given.memory_type, given.privacy_level, given.idempotency_key, given.ended_at, given.valence,
            given.media, given.source_agent, given.occurred_precision, tenant) AS s;
        RETURN NEXT;
    END LOOP;
    IF ringing AND "position" IS NOT NULL THEN
        PERFORM pg_notify('cognifold_work', '');
    END IF;
    PERFORM cognifold.leave_tenant(previous);
EXCEPTION
    WHEN SQLSTATE 'CF010' OR data_exception THEN
        GET STACKED DIAGNOSTICS wrong = MESSAGE_TEXT, remedy = PG_EXCEPTION_HINT;
        RAISE EXCEPTION '%', CASE WHEN "position" IS NULL THEN wrong ELSE format('event %s: %s', "position", wrong) END
            USING ERRCODE = 'CF010', HINT = coalesce(NULLIF(remedy, ''), 'Nothing was stored.');
END
$$;
COMMENT ON FUNCTION cognifold.remember_many(jsonb, text) IS
    'remember for a JSON array of objects with its arguments'' names, in one transaction; per event its place from 0, its id, and whether this call stored it. Times are ISO 8601 with an offset. Raises CF010 with the place of the event for a value out of range or of another type, or a field that remember does not know.';
