-- store_capture: makes the event of a captured row, by the one way in; says whether it is new.
CREATE OR REPLACE FUNCTION cognifold.store_capture(
    capture cognifold_watch.inbox, place integer, made_by cognifold.watch, is_allowed boolean, time_zone text
) RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET datestyle = 'ISO, YMD'
SET timezone = 'UTC'
AS $$
#variable_conflict use_variable
DECLARE
    moment   CONSTANT text := '^\d{4,6}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d(:?\d\d(:?\d\d)?)?)?)?$';
    is_gone  CONSTANT boolean := capture.operation = 'D';
    filled   jsonb;
    payload  jsonb;
    altered  jsonb;
    words    text;
    key      text;
    row_key  text;
    state    text;
    happened timestamptz := capture.captured_at;
    wrong    text;
    is_new   boolean;
BEGIN
    IF is_allowed IS NOT TRUE THEN
        RAISE EXCEPTION 'this watch, made by role "%" for a table of "%", may not write for tenant "%" as "%"',
            made_by.created_by, made_by.owner, capture.tenant_id, capture.captured_by USING ERRCODE = 'CF003';
    END IF;
    PERFORM set_config('timezone', time_zone, true);   -- in which a date or a time without an offset is meant
    SELECT jsonb_object_agg(t.key, cognifold.filled_template(t.value, capture.row_values, capture.old_values, is_gone)) INTO filled
    FROM jsonb_each(made_by.templates - '{payload,row key,tenants}'::text[]) AS t;
    words := CASE capture.operation WHEN 'U' THEN coalesce(filled ->> 'content_of_update', filled ->> 'content')
                                    WHEN 'D' THEN coalesce(filled ->> 'content_of_delete', filled ->> 'content')
                                    ELSE filled ->> 'content' END;
    SELECT format('%s is no time such as 2026-05-04 09:30+02', t.named) INTO wrong
    FROM (VALUES ('occurred_at'), ('deadline')) AS t (named)
    WHERE filled ->> t.named IS NOT NULL AND (filled ->> t.named !~ moment OR NOT pg_input_is_valid(filled ->> t.named, 'timestamptz'));
    wrong := CASE WHEN wrong IS NOT NULL THEN wrong WHEN words IS NULL OR words ~ '^\s*$' THEN 'the content is empty' END;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION '%', wrong USING ERRCODE = 'CF046';
    END IF;
    happened := coalesce((filled ->> 'occurred_at')::timestamptz, happened);

    SELECT coalesce(jsonb_object_agg(p.key, CASE
               WHEN v.value IS NULL THEN 'null'
               WHEN made_by.places -> (p.value - 1) ->> 'meant' = 'text' OR NOT pg_input_is_valid(v.written, 'jsonb') THEN to_jsonb(v.value)
               ELSE v.written::jsonb END), '{}')
    INTO payload
    FROM (SELECT e.key, e.value::integer AS value FROM jsonb_each_text(made_by.templates -> 'payload') AS e) AS p
    CROSS JOIN LATERAL (SELECT capture.row_values[p.value] AS value,
                               CASE capture.row_values[p.value] WHEN 't' THEN 'true' WHEN 'f' THEN 'false' ELSE capture.row_values[p.value] END AS written) AS v;
    IF filled ->> 'deadline' IS NOT NULL THEN
        payload := payload || jsonb_build_object('deadline', CASE WHEN length(filled ->> 'deadline') = 10 THEN filled -> 'deadline'
                                                                  ELSE to_jsonb((filled ->> 'deadline')::timestamptz) END);
    END IF;
    IF capture.operation = 'U' THEN
        SELECT jsonb_object_agg(p.value ->> 'name', jsonb_build_object('old', capture.old_values[p.ordinality], 'new', capture.row_values[p.ordinality]))
        INTO altered
        FROM jsonb_array_elements(made_by.places) WITH ORDINALITY AS p (value, ordinality)
        WHERE p.value ->> 'kind' = 'column' AND capture.old_values[p.ordinality] IS DISTINCT FROM capture.row_values[p.ordinality];
        payload := payload || jsonb_strip_nulls(jsonb_build_object('changed', altered));
    END IF;

    -- One event for each state of a row that was written: a row that comes back to an earlier state is news, but the same state
    -- read again by backfill is not. Only what a template says is the same is the same whatever wrote it.
    row_key := cognifold.captured_row_key(capture, made_by);
    state := left(encode(sha256(convert_to(capture.row_values::text, 'UTF8')), 'hex'), 32);
    key := cognifold.captured_source_key(capture, made_by);
    FOR attempt IN 1 .. 2 LOOP
        SELECT s.is_new INTO is_new
        FROM cognifold.store_event(
            words, filled ->> 'title', happened, made_by.source, NULLIF(filled ->> 'actor', ''), NULLIF(payload, '{}'), NULL, NULL, NULL, NULL,
            coalesce(key, format('watch:%s:%s:%s', made_by.name, coalesce(row_key, ''),
                                 CASE WHEN is_gone THEN format('gone:%s.%s', capture.capture_id, place)
                                      WHEN attempt = 2 THEN format('%s:%s.%s', state, capture.capture_id, place) ELSE state END)),
            NULL, NULL, NULL, 'watch ' || made_by.name,
            CASE WHEN length(filled ->> 'occurred_at') = 10 THEN 'day' END, capture.tenant_id) AS s;
        EXIT WHEN is_new OR key IS NOT NULL OR capture.operation NOT IN ('I', 'U');
    END LOOP;
    RETURN is_new;
END
$$;
COMMENT ON FUNCTION cognifold.store_capture(cognifold_watch.inbox, integer, cognifold.watch, boolean, text) IS
    'Stores the event of one captured row; false where its event was there. Raises what remember raises, CF003 where the watch may not write for the tenant (is_allowed: see captures_of), and CF046 for a time that is none or a content that is empty. Internal: for take_captures.';
