-- filled_template: a template with the values of a captured row in it.
CREATE OR REPLACE FUNCTION cognifold.filled_template(parts jsonb, row_values text[], old_values text[], is_gone boolean) RETURNS text
LANGUAGE sql IMMUTABLE
SET search_path FROM CURRENT
AS $$
    -- A template of nothing but one value is NULL where that is; in a text a missing value is nothing.
    SELECT CASE WHEN count(*) = 1 THEN min(p.value) ELSE string_agg(coalesce(p.value, ''), '' ORDER BY p.place) END
    FROM (SELECT e.ordinality AS place,
                 CASE left(e.part, 1) WHEN 'L' THEN substr(e.part, 2)
                                      WHEN 'N' THEN row_values[substr(e.part, 2)::integer]
                                      WHEN 'A' THEN CASE WHEN NOT is_gone THEN row_values[substr(e.part, 2)::integer] END
                                      ELSE (CASE WHEN is_gone THEN row_values ELSE old_values END)[substr(e.part, 2)::integer] END AS value
          FROM jsonb_array_elements_text(parts) WITH ORDINALITY AS e (part, ordinality)) AS p
$$;
COMMENT ON FUNCTION cognifold.filled_template(jsonb, text[], text[], boolean) IS
    'The text that a compiled template (watch.templates) gives for a captured row; NULL for no template, or one that is a single value which is NULL. is_gone: the row was deleted, and what was captured is what it was. Internal.';
