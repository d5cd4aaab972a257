-- template_parts: what a template of watch is made of, in order: words, columns, expressions.
CREATE OR REPLACE FUNCTION cognifold.template_parts(template text) RETURNS TABLE (place bigint, kind text, value text)
LANGUAGE plpgsql IMMUTABLE ROWS 5
SET search_path FROM CURRENT
AS $$
DECLARE
    -- Of several readings the longest: within {= ...} a brace is written twice, as outside.
    token CONSTANT text := '\{\{|\}\}|\{=(?:[^{}]|\{\{|\}\})*\}|\{[^{}=][^{}]*\}|[^{}]+';
BEGIN
    IF regexp_replace(template, token, '', 'g') <> '' THEN
        RAISE EXCEPTION 'watch: the braces of the template % do not match', quote_literal(template)
            USING ERRCODE = 'CF040', HINT = 'Write {column}, {old.column}, {new.column} or {= expression}; a brace itself is written {{ or }}.';
    END IF;
    RETURN QUERY
    SELECT t.ordinality,
           CASE WHEN t.part[1] ~ '^\{=' THEN 'expression'
                WHEN t.part[1] ~ '^\{ *old\.' AND t.part[1] <> '{{' THEN 'old'
                WHEN t.part[1] ~ '^\{ *new\.' AND t.part[1] <> '{{' THEN 'new'
                WHEN t.part[1] ~ '^\{[^{]' THEN 'row'
                ELSE 'text' END,
           CASE WHEN t.part[1] ~ '^\{=' THEN btrim(replace(replace(substr(t.part[1], 3, length(t.part[1]) - 3), '{{', '{'), '}}', '}'))
                WHEN t.part[1] IN ('{{', '}}') THEN left(t.part[1], 1)
                WHEN t.part[1] ~ '^\{[^{]' THEN regexp_replace(btrim(t.part[1], '{ }'), '^(old|new)\.', '')
                ELSE t.part[1] END
    FROM regexp_matches(template, token, 'g') WITH ORDINALITY AS t (part, ordinality);
END
$$;
COMMENT ON FUNCTION cognifold.template_parts(text) IS
    'The parts of a template in order: kind text (words as they are), row, old or new (a column of the row as it is now, as it was, of either), expression (SQL). CF040 where braces do not match. Internal: for watch.';
