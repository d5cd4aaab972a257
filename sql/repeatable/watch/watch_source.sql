-- watch_source: the functions that a watch runs in the application's statements, as the statements that make them.
--
-- A trigger copies what the watch needs of the rows, as text, in one INSERT a statement; an event is made of it later. What goes
-- wrong is caught there, in one subtransaction; only where a SQL expression failed on some row are the rows halved, and halved
-- again, until that row is alone. A cancelled statement stays cancelled: plpgsql's OTHERS does not catch it.
CREATE OR REPLACE FUNCTION cognifold.watch_source(watch_id integer, relation regclass, operation text, spec jsonb) RETURNS SETOF text
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    side      CONSTANT text := CASE operation WHEN 'delete' THEN 'old' ELSE 'new' END;
    table_of  CONSTANT text := side || '_rows';
    computes  CONSTANT boolean := spec -> 'expressions' <> '[]' OR spec ->> 'filter' IS NOT NULL;
    paired    CONSTANT boolean := operation = 'update';
    made      CONSTANT text := format('cognifold_watch.w%s_%s', watch_id, operation);
    -- row_security: a session that has it off, as a restore has, would be refused the inbox.
    settings  CONSTANT text := 'SET search_path = pg_catalog, pg_temp SET lock_timeout = ''1s'' SET row_security = on'
        -- A body with a backslash in it would be read otherwise, or not at all, in a session of the old string syntax.
        || CASE WHEN strpos(spec::text, '\') > 0 THEN ' SET standard_conforming_strings = on' ELSE '' END
        -- Each costs a little at every call: only where the text of a value depends on them.
        || CASE WHEN computes OR (spec ->> 'styled')::boolean THEN
               ' SET datestyle = ''ISO, YMD'' SET timezone = ''UTC'' SET intervalstyle = ''postgres'''
               ' SET bytea_output = ''hex'' SET extra_float_digits = 1' ELSE '' END;
    place     CONSTANT text := (SELECT format('%I.%I', s.nspname, c.relname) FROM pg_class AS c
                                JOIN pg_namespace AS s ON s.oid = c.relnamespace WHERE c.oid = relation);
    varies    CONSTANT boolean := EXISTS (SELECT FROM jsonb_array_elements(spec -> 'tenant') AS p (value) WHERE p.value ->> 'kind' <> 'text');
    numbered  CONSTANT text := format('(SELECT *, row_number() OVER () AS cognifold_place FROM %s) AS %s', table_of, side);
    row_array text;
    old_array text;
    tenant    text;
    from_rows text;
    wanted    text;
    row_key   text;
    counted   text;
    ordering  text;
    named     text;
    letter    text;
    packed    text;
    insertion text;
    noting    text;
    body      text := '';
BEGIN
    SELECT string_agg(CASE c.value ->> 'kind'
               WHEN 'column' THEN format('%s.%I::text', side, c.value ->> 'name')
               WHEN 'json' THEN format('pg_catalog.to_json(%s.%I)::text', side, c.value ->> 'name')
               ELSE format('v.e%s::text', c.ordinality) END, ', ' ORDER BY c.ordinality),
           string_agg(CASE c.value ->> 'kind'
               WHEN 'column' THEN format('old.%I::text', c.value ->> 'name')
               WHEN 'json' THEN format('pg_catalog.to_json(old.%I)::text', c.value ->> 'name')
               ELSE 'NULL' END, ', ' ORDER BY c.ordinality)
    INTO row_array, old_array
    FROM jsonb_array_elements(spec -> 'values') WITH ORDINALITY AS c (value, ordinality);
    SELECT CASE count(*) WHEN 1 THEN min(t.part) ELSE format('concat(%s)', string_agg(t.part, ', ' ORDER BY t.place)) END INTO tenant
    FROM (SELECT p.ordinality AS place, CASE p.value ->> 'kind'
              WHEN 'text' THEN quote_literal(p.value ->> 'value')
              WHEN 'expression' THEN format('v.e%s::text', p.value ->> 'value')
              ELSE format('%s.%I::text', CASE p.value ->> 'kind' WHEN 'row' THEN side ELSE p.value ->> 'kind' END, p.value ->> 'value') END AS part
          FROM jsonb_array_elements(spec -> 'tenant') WITH ORDINALITY AS p (value, ordinality)) AS t;
    SELECT format('concat_ws('','', %s)', string_agg(format('%s.%I', side, k.name), ', ' ORDER BY k.ordinality)) INTO row_key
    FROM jsonb_array_elements_text(spec -> 'key') WITH ORDINALITY AS k (name, ordinality);

    from_rows := CASE
        WHEN operation = 'backfill' THEN 'page AS new LEFT JOIN page AS old ON false'
        -- The two tables of an update are filled row by row, together: what stands at one place is one row before and after.
        WHEN paired THEN '(SELECT *, row_number() OVER () AS cognifold_place FROM new_rows) AS new '
                         'JOIN (SELECT *, row_number() OVER () AS cognifold_place FROM old_rows) AS old ON old.cognifold_place = new.cognifold_place'
        WHEN computes OR (spec ->> 'both_sides')::boolean THEN format(
            '%s LEFT JOIN (SELECT * FROM %s) AS %s ON false', numbered, table_of, CASE side WHEN 'new' THEN 'old' ELSE 'new' END)
        ELSE format('%s AS %s', table_of, side) END;
    IF computes THEN
        SELECT format(' CROSS JOIN LATERAL (SELECT %s FROM (SELECT %s.*) AS "row") AS v', string_agg(e.written, ', '), side)
        INTO STRICT wanted
        FROM (SELECT format('%s AS e%s', x.value ->> 'sql', x.value ->> 'place') AS written
              FROM jsonb_array_elements(spec -> 'expressions') AS x (value)
              UNION ALL SELECT format('(%s) AS is_wanted', spec ->> 'filter') WHERE spec ->> 'filter' IS NOT NULL) AS e;
        from_rows := from_rows || wanted;
    END IF;
    wanted := CASE WHEN spec ->> 'filter' IS NOT NULL THEN 'v.is_wanted' ELSE 'true' END;
    IF paired THEN
        SELECT wanted || coalesce(' AND (' || string_agg(format('new.%1$I::text IS DISTINCT FROM old.%1$I::text', c.name), ' OR ' ORDER BY c.ordinality) || ')', '')
        INTO wanted
        FROM jsonb_array_elements_text(spec -> 'compared') WITH ORDINALITY AS c (name, ordinality);
    END IF;

    IF operation = 'backfill' THEN
        wanted := wanted || ' AND NOT $3' || CASE WHEN varies THEN format(' AND cognifold_watch.strange_tenants(ARRAY[coalesce(%s, '''')]) IS NULL', tenant) ELSE '' END;
    ELSE
        counted := wanted;
        wanted := wanted || CASE WHEN varies THEN format(' AND (cf_strange IS NULL OR coalesce(%s, '''') <> ALL (cf_strange))', tenant) ELSE '' END
                         || CASE WHEN computes THEN format(' AND %s.cognifold_place BETWEEN cf_low AND cf_high', side) ELSE '' END;
    END IF;
    ordering := CASE WHEN operation <> 'backfill' AND (computes OR paired) THEN format('ORDER BY %s.cognifold_place', side) ELSE '' END;
    named := format('INSERT INTO cognifold_watch.inbox (tenant_id, watch_id, operation, held, row_values%s)', CASE WHEN paired THEN ', old_values' ELSE '' END);
    letter := CASE operation WHEN 'backfill' THEN 'B' ELSE upper(left(operation, 1)) END;
    -- Many rows go into few entries: what an entry costs, its number, its place in the index, is what a large statement would feel.
    packed := format('%s SELECT r.tenant, %s, %L, count(*), array_agg(r.now_values)%s FROM ('
                     'SELECT %s AS tenant, ARRAY[%s]::text[] AS now_values%s, row_number() OVER (%s) AS place FROM %s WHERE %s%s) AS r '
                     'GROUP BY r.tenant, r.place / 64 ORDER BY min(r.place)',
                     named, watch_id, letter, CASE WHEN paired THEN ', array_agg(r.was_values)' ELSE '' END,
                     tenant, row_array, CASE WHEN paired THEN format(', ARRAY[%s]::text[] AS was_values', old_array) ELSE '' END,
                     ordering, from_rows, wanted, CASE operation WHEN 'backfill' THEN '' ELSE format(' %s OFFSET 16', ordering) END);
    -- A few rows go in as they are: to pack them would be felt by a statement of one row.
    insertion := CASE operation WHEN 'backfill' THEN packed ELSE format(
        '%s SELECT %s, %s, %L, 1, ARRAY[ARRAY[%s]]::text[]%s FROM %s WHERE %s %s LIMIT 16;
            GET DIAGNOSTICS cf_count = ROW_COUNT;
            IF cf_count = 16 THEN
                %s;
            END IF', named, tenant, watch_id, letter, row_array,
        CASE WHEN paired THEN format(', ARRAY[ARRAY[%s]]::text[]', old_array) ELSE '' END, from_rows, wanted, ordering, packed) END;

    IF operation = 'backfill' THEN
        SELECT replace(format($query$
WHERE $1 IS NULL OR (%1$s) > (%2$s) ORDER BY %1$s LIMIT $2
), captured AS (
    %5$s
)
SELECT (SELECT count(*) FROM page), (SELECT ARRAY[%4$s] FROM page AS p ORDER BY %3$s LIMIT 1)
$query$,
                string_agg(format('p.%I', k.name), ', ' ORDER BY k.ordinality),
                string_agg(format('($1)[%s]::%s', k.ordinality, format_type(a.atttypid, a.atttypmod)), ', ' ORDER BY k.ordinality),
                string_agg(format('p.%I DESC', k.name), ', ' ORDER BY k.ordinality),
                string_agg(format('p.%I::text', k.name), ', ' ORDER BY k.ordinality),
                insertion),
            '''', '''''')
        INTO insertion
        FROM jsonb_array_elements_text(spec -> 'key') WITH ORDINALITY AS k (name, ordinality)
        JOIN pg_attribute AS a ON a.attrelid = relation AND a.attname = k.name;
        RETURN QUERY VALUES
            (format('CREATE FUNCTION %s(place regclass, after text[], size integer, skip boolean, OUT seen bigint, OUT last text[]) '
                    'LANGUAGE plpgsql SECURITY DEFINER %s AS %L', made, settings,
                    format('BEGIN EXECUTE ''WITH page AS MATERIALIZED (SELECT p.* FROM '' || place::text || '' AS p %s'' '
                           'INTO seen, last USING after, size, skip; END', insertion))),
            (format('REVOKE ALL ON FUNCTION %s(regclass, text[], integer, boolean) FROM PUBLIC', made)),
            (format('GRANT EXECUTE ON FUNCTION %s(regclass, text[], integer, boolean) TO cognifold_nobody', made)),
            (format('COMMENT ON FUNCTION %s(regclass, text[], integer, boolean) IS %L', made,
                    'Captures a page of rows that were there before the watch (cognifold.backfill). Generated.'));
        RETURN;
    END IF;

    IF varies THEN
        body := format($code$
    BEGIN
        cf_strange := cognifold_watch.strange_tenants(ARRAY(SELECT DISTINCT coalesce(%1$s, '') FROM %2$s WHERE %3$s));
        IF cf_strange IS NOT NULL AND cognifold_watch.has_room(%4$s) THEN
            INSERT INTO cognifold_watch.fault (watch_id, operation, state, message, lost)
            SELECT %4$s, %5$L, 'CF002', CASE WHEN cf_strange[1] = '' THEN 'a row names no tenant'
                                             ELSE concat('tenant "', left(cf_strange[1], 63), '" does not exist') END, count(*)
            FROM %2$s WHERE %3$s AND coalesce(%1$s, '') = ANY (cf_strange);
        END IF;
    EXCEPTION WHEN OTHERS THEN
        NULL;  -- what fails here fails below, and is noted there
    END;$code$, tenant, from_rows, counted, watch_id, operation);
    END IF;
    -- What an error quotes of a value is left out; what names a column or a right is kept.
    noting := format($code$
                IF cognifold_watch.has_room(%1$s) THEN
                    INSERT INTO cognifold_watch.fault (watch_id, operation, state, message, row_key, lost)
                    SELECT %1$s, %2$L, cf_state, left(CASE WHEN cf_state ~ '^(22|23|P0)' THEN regexp_replace(cf_reason, ': ".*|".*"', '', 'g')
                                                          ELSE cf_reason END, 500), @key@, @lost@;
                END IF;$code$, watch_id, operation);
    IF computes THEN
        body := body || format($code$
    WHILE cf_todo <> '{}' LOOP
        cf_low := cf_todo[1];
        cf_high := cf_todo[2];
        cf_todo := cf_todo[3:];
        BEGIN
            %1$s;
        EXCEPTION WHEN OTHERS THEN
            GET STACKED DIAGNOSTICS cf_state = RETURNED_SQLSTATE, cf_reason = MESSAGE_TEXT;
            BEGIN
                cf_high := least(cf_high, (SELECT count(*) FROM %2$s));
                cf_tries := cf_tries + 1;
                IF cf_low < cf_high AND cf_tries <= 200 AND cf_state ~ '^(22|23|P0|XX)' THEN
                    cf_todo := ARRAY[cf_low, (cf_low + cf_high) / 2, (cf_low + cf_high) / 2 + 1, cf_high] || cf_todo;
                    CONTINUE;
                END IF;%3$s
            EXCEPTION WHEN OTHERS THEN
                NULL;
            END;
        END;
    END LOOP;$code$, insertion, table_of, replace(replace(noting, '@lost@', 'greatest(cf_high - cf_low + 1, 1)'), '@key@', coalesce(
            format('(SELECT left(%s, 200) FROM %s WHERE %s.cognifold_place = cf_low AND cf_low = cf_high)', row_key, numbered, side), 'NULL')));
    ELSE
        body := body || format($code$
    BEGIN
        %1$s;
    EXCEPTION WHEN OTHERS THEN
        GET STACKED DIAGNOSTICS cf_state = RETURNED_SQLSTATE, cf_reason = MESSAGE_TEXT;
        BEGIN%2$s
        EXCEPTION WHEN OTHERS THEN
            NULL;
        END;
    END;$code$, insertion, replace(replace(noting, '@lost@', format('(SELECT count(*) FROM %s)', table_of)), '@key@', 'NULL'));
    END IF;
    RETURN QUERY VALUES
        (format('CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER %s AS %L', made, settings, $code$
#variable_conflict use_column
DECLARE
    cf_strange text[];
    cf_state   text;
    cf_reason  text;
    cf_todo    bigint[] := '{1,9223372036854775807}';
    cf_low     bigint;
    cf_high    bigint;
    cf_tries   integer := 0;
    cf_count   bigint;
BEGIN$code$ || body || $code$
    RETURN NULL;
END
$code$)),
        (format('REVOKE ALL ON FUNCTION %s() FROM PUBLIC', made)),
        (format('COMMENT ON FUNCTION %s() IS %L', made, 'Captures rows of a watched table (cognifold.watch). Generated.')),
        (format('CREATE TRIGGER cognifold_w%s_%s AFTER %s ON %s REFERENCING %s FOR EACH STATEMENT EXECUTE FUNCTION %s()', watch_id, operation,
                upper(operation), place, CASE operation WHEN 'insert' THEN 'NEW TABLE AS new_rows' WHEN 'delete' THEN 'OLD TABLE AS old_rows'
                ELSE 'NEW TABLE AS new_rows OLD TABLE AS old_rows' END, made)),
        (format('COMMENT ON TRIGGER cognifold_w%s_%s ON %s IS %L', watch_id, operation, place,
                'Feeds the memory (cognifold.watch); SELECT cognifold.unwatch(...) takes it away.'));
END
$$;
COMMENT ON FUNCTION cognifold.watch_source(integer, regclass, text, jsonb) IS
    'The statements that make a watch''s trigger for insert, update or delete, or its backfill, to be run as the table''s owner. spec: {"values", "expressions", "filter", "tenant", "compared", "key", "styled", "both_sides"}. Internal: for watch.';
