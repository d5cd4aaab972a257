-- action_fault: what is wrong with an operation that sets a step of an intent, or NULL.
CREATE OR REPLACE FUNCTION cognifold.action_fault(tenant text, operation jsonb) RETURNS text
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    time_form CONSTANT text := '^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*([+-]\d{2}(:?\d{2})?|Z)$';
    longest   CONSTANT integer := 1000;
    present   record;
BEGIN
    IF coalesce(jsonb_typeof(operation -> 'position'), 'null') <> 'null'
       AND (CASE jsonb_typeof(operation -> 'position') WHEN 'number' THEN (operation ->> 'position')::numeric NOT BETWEEN 1 AND 100
                                                                          OR (operation ->> 'position')::numeric % 1 <> 0 ELSE true END) THEN
        RETURN format('position %s is not a whole number from 1 to 100', left((operation -> 'position')::text, 100));
    ELSIF jsonb_typeof(operation -> 'what') NOT IN ('string', 'null') OR jsonb_typeof(operation -> 'due_at') NOT IN ('string', 'null')
          OR jsonb_typeof(operation -> 'status') NOT IN ('string', 'null') THEN
        RETURN NULL;  -- said elsewhere
    ELSIF operation ->> 'what' !~ '\S' OR length(operation ->> 'what') > longest THEN
        RETURN format('a step says what in 1 to %s characters', longest);
    ELSIF operation ->> 'due_at' !~* time_form OR NOT pg_input_is_valid(operation ->> 'due_at', 'timestamptz') THEN
        RETURN format('due_at %L is not a time with a time zone (ISO 8601)', left(operation ->> 'due_at', 100));
    ELSIF operation ->> 'status' NOT IN ('proposed', 'accepted', 'done', 'skipped') THEN
        RETURN format('status %L is not proposed, accepted, done or skipped', left(operation ->> 'status', 100));
    ELSIF cognifold.is_uuid(operation ->> 'node') THEN
        SELECT a.status INTO present FROM cognifold.intent_action_state AS a
        WHERE a.tenant_id = action_fault.tenant AND a.node_id = (operation ->> 'node')::uuid AND a.position = (operation ->> 'position')::integer;
        IF FOUND THEN
            RETURN CASE WHEN coalesce(operation ->> 'what', operation ->> 'due_at', operation ->> 'status') IS NULL
                        THEN 'a step is set anew by what, due_at or status'
                        WHEN operation ->> 'status' <> present.status AND NOT EXISTS (
                            SELECT FROM cognifold.action_step AS s WHERE s.from_status = present.status AND s.to_status = operation ->> 'status')
                        THEN format('step %s is %s, it cannot become %s', operation ->> 'position', present.status, operation ->> 'status')
                        WHEN present.status = 'done' AND coalesce(operation ->> 'what', operation ->> 'due_at') IS NOT NULL
                        THEN format('step %s is done, and stays as it is', operation ->> 'position') END;
        END IF;
    END IF;
    RETURN CASE WHEN operation ->> 'position' IS NULL AND cognifold.is_uuid(operation ->> 'node') AND EXISTS (
                    SELECT FROM cognifold.intent_action_state AS a
                    WHERE a.tenant_id = action_fault.tenant AND a.node_id = (operation ->> 'node')::uuid AND a.position = 100)
                THEN 'an intent has at most 100 steps'
                WHEN operation ->> 'what' IS NULL THEN 'a new step says what' END;
END
$$;
COMMENT ON FUNCTION cognifold.action_fault(text, jsonb) IS
    'The first fault of a SET_ACTION by its own fields and by where its step stands; NULL if there is none. Internal: operation_faults calls it.';
