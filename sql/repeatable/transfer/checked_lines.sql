-- checked_lines: that a table of lines holds one whole export, unchanged, and where in it the rows of each table stand.
CREATE OR REPLACE FUNCTION cognifold.checked_lines(lines regclass, OUT header jsonb, OUT sections jsonb, OUT number bigint)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
DECLARE
    item    record;
    kind    text;
    open    text;
    known   jsonb := (SELECT jsonb_object_agg(t.relation, t.place) FROM cognifold.transfer_tables() AS t WHERE t.treatment IN ('exported', 'vectors'));
    digest  bytea := '';
    ending  jsonb;
    counts  jsonb := '{}';
    since   bigint;
    until   bigint;
    counted bigint := 0;
    wrong   text;
BEGIN
    number := 0;
    sections := '{}';
    FOR item IN EXECUTE format('SELECT l.place, l.line FROM %s AS l ORDER BY l.place', lines) LOOP
        number := number + 1;
        IF ending IS NOT NULL THEN
            wrong := 'it comes after the end';
            EXIT;
        END IF;
        kind := substring(item.line FROM '^\{"type": "([a-z_]+)"');
        IF number = 1 THEN
            IF kind = 'header' AND item.line IS JSON OBJECT THEN
                header := item.line::jsonb;
            END IF;
            IF header ->> 'product' IS DISTINCT FROM 'cognifold_pg' OR jsonb_typeof(header -> 'format') IS DISTINCT FROM 'number'
               OR jsonb_typeof(header -> 'counts') IS DISTINCT FROM 'object' OR jsonb_typeof(header -> 'model') IS DISTINCT FROM 'object'
               OR NOT header ? 'tenant' THEN
                wrong := 'it is no header of an export';
                EXIT;
            ELSIF (header ->> 'format')::numeric <> 1 THEN
                RAISE EXCEPTION 'the file is of format %, written by version %, and this version reads format 1', header ->> 'format', coalesce(header ->> 'version', 'unknown')
                    USING ERRCODE = 'CF055', HINT = 'Nothing was written. Import it with a version of cognifold_pg as new as the one that wrote it.';
            END IF;
        ELSIF kind = 'end' THEN
            IF item.line IS NOT JSON OBJECT THEN
                wrong := 'the end of the file is no JSON';
                EXIT;
            END IF;
            ending := item.line::jsonb;
            IF ending ->> 'lines' IS DISTINCT FROM (number - 1)::text THEN
                wrong := format('the file was written with %s lines before this one, and there are %s', coalesce(ending ->> 'lines', 'an unknown number of'), number - 1);
                EXIT;
            ELSIF ending ->> 'sha256' IS DISTINCT FROM encode(digest, 'hex') THEN
                wrong := 'the lines before it are not those that were written: their sha256 differs';
                EXIT;
            END IF;
            CONTINUE;
        ELSIF kind IS NULL OR NOT known ? kind THEN
            wrong := CASE WHEN kind IS NULL THEN 'it is no line of an export' ELSE format('this version has no table "%s"', kind) END;
            EXIT;
        END IF;
        digest := sha256(digest || convert_to(item.line, 'UTF8'));
        CONTINUE WHEN number = 1;
        IF kind IS DISTINCT FROM open THEN
            IF (known ->> kind)::integer < coalesce((known ->> open)::integer, 0) THEN
                wrong := format('rows of "%s" come before those of "%s"', kind, open);
                EXIT;
            END IF;
            IF open IS NOT NULL THEN
                sections := sections || jsonb_build_object(open, jsonb_build_array(since, until, counted));
            END IF;
            open := kind;
            since := item.place;
            counted := 0;
        END IF;
        counted := counted + 1;
        until := item.place;
    END LOOP;
    IF open IS NOT NULL THEN
        sections := sections || jsonb_build_object(open, jsonb_build_array(since, until, counted));
    END IF;
    IF wrong IS NULL AND ending IS NULL THEN
        wrong := CASE number WHEN 0 THEN 'the file is empty' ELSE 'the file ends with it, and is not whole: the end that says how many lines there were is missing' END;
    END IF;
    IF wrong IS NULL THEN
        SELECT format('the header promises %s rows of "%s", and there are %s', c.value, c.key, coalesce(sections -> c.key ->> 2, '0')) INTO wrong
        FROM jsonb_each_text(header -> 'counts') AS c
        WHERE c.value IS DISTINCT FROM coalesce(sections -> c.key ->> 2, '0') LIMIT 1;
    END IF;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'line % cannot be imported: %', greatest(number, 1), wrong
            USING ERRCODE = 'CF054', HINT = 'Nothing was written. Take the file as export_tenant wrote it, whole and unchanged.';
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.checked_lines(regclass) IS
    'Reads lines (place, line) of an export once: its header; for each table [first place, last place, rows]; how many lines. CF054 names the line where something is missing, changed or out of order, CF055 a format of a later version. Internal.';
