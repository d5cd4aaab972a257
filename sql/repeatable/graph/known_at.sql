-- known_at: the moment of transaction time that views, recall and explain look at the graph from; NULL for now.
CREATE OR REPLACE FUNCTION cognifold.known_at() RETURNS timestamptz
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
DECLARE
    asked text := NULLIF(current_setting('cognifold.known_at', true), '');
BEGIN
    IF asked IS NULL THEN
        RETURN NULL;
    ELSIF asked !~* '[0-9]:[0-9]{2}.*([+-][0-9]{2}(:?[0-9]{2})?|Z)$' OR NOT pg_input_is_valid(asked, 'timestamptz') THEN
        RAISE EXCEPTION 'cognifold.known_at = ''%'' is not a time with a time zone', asked
            USING ERRCODE = 'CF010', HINT = 'Write an ISO 8601 time with its offset, such as 2026-06-01T09:00:00+02:00; RESET it to look at the present.';
    END IF;
    IF cognifold.clearance(cognifold.current_tenant()) <> 'private' THEN
        PERFORM cognifold.refused_to_cleared(asked::timestamptz, always => true);
    END IF;
    RETURN asked::timestamptz;
END
$$;
COMMENT ON FUNCTION cognifold.known_at() IS
    'The setting cognifold.known_at (ISO 8601 with offset) as a moment of transaction time, NULL when unset. The views concept, intent and edge show the graph as it was known then, the view event those recorded by then (they never change), and recall and explain take it where their argument is NULL.';
