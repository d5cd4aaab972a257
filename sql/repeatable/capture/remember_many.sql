-- remember_many: remember for a JSON array of events, all of them or none, in the order given.
CREATE OR REPLACE FUNCTION cognifold.remember_many(events jsonb, tenant text DEFAULT cognifold.required_tenant())
RETURNS TABLE ("position" integer, event_id uuid, is_new boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 200
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    given    record;
    started  timestamptz := clock_timestamp();
BEGIN
    IF events IS NULL OR jsonb_typeof(events) <> 'array' THEN
        RAISE EXCEPTION 'remember_many: events is not a JSON array' USING ERRCODE = 'CF010', HINT = 'Give [{"content": ...}, ...].';
    END IF;
    FOR given IN
        SELECT e.ordinality::integer - 1 AS place, r.*
        FROM jsonb_array_elements(events) WITH ORDINALITY AS e (body, ordinality)
        CROSS JOIN LATERAL jsonb_to_record(e.body) AS r (
            content text, title text, occurred_at timestamptz, source text, actor text, payload jsonb, emotional_weight real,
            arousal real, memory_type text, privacy_level text, idempotency_key text, ended_at timestamptz, valence text,
            media jsonb, source_agent text, occurred_precision text)
        ORDER BY e.ordinality
    LOOP
        "position" := given.place;
        event_id := cognifold.remember(
            given.content, given.title, given.occurred_at, given.source, given.actor, given.payload, given.emotional_weight,
            given.arousal, given.memory_type, given.privacy_level, given.idempotency_key, given.ended_at, given.valence,
            given.media, given.source_agent, given.occurred_precision, tenant);
        is_new := EXISTS (SELECT FROM cognifold.node AS n
                          WHERE n.tenant_id = tenant AND n.id = event_id AND n.recorded_at >= started);
        RETURN NEXT;
    END LOOP;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.remember_many(jsonb, text) IS
    'remember for a JSON array of objects with its arguments'' names, in one transaction; per event its place from 0, its id, and whether it is new.';
