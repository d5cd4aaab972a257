-- previous_event: what the same voice (source and actor) said or did last before an event.
CREATE OR REPLACE FUNCTION cognifold.previous_event(tenant text, event_id uuid) RETURNS uuid
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    moment timestamptz;
    -- Worked out beforehand: coalesce() in a condition is not leakproof, and row-level security keeps it from the index.
    voice  text;
    actor  text;
BEGIN
    SELECT n.occurred_at, coalesce(n.source, ''), coalesce(n.actor, '') INTO moment, voice, actor
    FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = event_id;
    RETURN (
        SELECT b.id
        FROM cognifold.node AS b
        WHERE b.tenant_id = tenant AND b.kind = 'event'
          AND CASE WHEN b.source IS NULL THEN '' ELSE b.source END = voice
          AND CASE WHEN b.actor IS NULL THEN '' ELSE b.actor END = actor
          AND (b.occurred_at, b.id) < (moment, event_id)
        ORDER BY b.occurred_at DESC, b.id DESC
        LIMIT 1
    );
END
$$;
COMMENT ON FUNCTION cognifold.previous_event(text, uuid) IS 'The last event before this one of the same source and the same actor, by event time and id; NULL if there is none. Internal.';
