-- plain_line: a text as one line that shows what it holds: no line breaks, control characters, or marks that turn the writing round.
CREATE OR REPLACE FUNCTION cognifold.plain_line(content text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    -- Invisible: bidirectional controls, zero-width space and marks, tag characters, the byte order mark. (The joiners that emoji and
    -- some scripts are written with stay.)
    SELECT btrim(regexp_replace(regexp_replace(content,
               U&'[\200B\200E\200F\202A-\202E\2060-\2064\2066-\2069\FEFF\+0E0000-\+0E007F]', '', 'g'),
               U&'[\0001-\0020\007F-\00A0\1680\2000-\200A\2028\2029\202F\205F\3000]+', ' ', 'g'))
$$;
COMMENT ON FUNCTION cognifold.plain_line(text) IS
    'The text with every run of white space and control characters made one space, and invisible characters that reorder or hide text taken out. Internal: context writes memories so.';
