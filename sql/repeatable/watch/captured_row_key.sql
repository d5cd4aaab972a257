-- captured_row_key: what the keys of a watch's events call the row that was captured: its primary key.
CREATE OR REPLACE FUNCTION cognifold.captured_row_key(capture cognifold_watch.inbox, made_by cognifold.watch) RETURNS text
LANGUAGE sql IMMUTABLE
SET search_path FROM CURRENT
AS $$
    SELECT CASE WHEN octet_length(r.key) > 600 THEN encode(sha256(convert_to(r.key, 'UTF8')), 'hex') ELSE r.key END
    FROM (SELECT string_agg(coalesce((capture).row_values[k.place], ''), ',' ORDER BY k.ordinality) AS key
          FROM unnest((made_by).key_places) WITH ORDINALITY AS k (place, ordinality)) AS r
$$;
COMMENT ON FUNCTION cognifold.captured_row_key(cognifold_watch.inbox, cognifold.watch) IS
    'The primary key of a captured row, its columns joined by commas, or its digest where it is long; NULL without one. Internal.';

CREATE OR REPLACE FUNCTION cognifold.captured_source_key(capture cognifold_watch.inbox, made_by cognifold.watch) RETURNS text
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    -- A key with a hole in it tells nothing apart.
    SELECT NULLIF(cognifold.filled_template(t.parts, (capture).row_values, (capture).old_values, (capture).operation = 'D'), '')
    FROM (SELECT (made_by).templates -> 'source_key' AS parts) AS t
    WHERE t.parts IS NOT NULL AND NOT EXISTS (
        SELECT FROM jsonb_array_elements_text(t.parts) AS p (part)
        WHERE left(p.part, 1) <> 'L'
          AND cognifold.filled_template(jsonb_build_array(p.part), (capture).row_values, (capture).old_values, (capture).operation = 'D') IS NULL)
$$;
COMMENT ON FUNCTION cognifold.captured_source_key(cognifold_watch.inbox, cognifold.watch) IS
    'What a watch''s source_key says of a captured row; NULL without one, or where a value in it is missing. Internal.';
