-- checked_expression: makes sure that an expression of watch is one, over one row, and writes it out with every name qualified.
-- Runs as whoever calls, in the role of the table's owner: an expression is never looked at with other rights than it runs with.
CREATE OR REPLACE FUNCTION cognifold.checked_expression(
    relation regclass, owner text, path text, expression text, wanted text DEFAULT NULL
) RETURNS text
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    -- Whose names stand in the expression: the inner row's without a prefix, new's and old's with theirs.
    place     CONSTANT text := (SELECT format('%I.%I', s.nspname, c.relname) FROM pg_class AS c
                                JOIN pg_namespace AS s ON s.oid = c.relnamespace WHERE c.oid = relation);
    rows      CONSTANT text := format('%1$s AS new, %1$s AS old', place);
    role_was  CONSTANT text := current_setting('role');
    probe     refcursor;
    written   text;
    bare      text;
    type_was  regtype;
    banned    text;
    reason    text;
BEGIN
    IF expression IS NULL OR btrim(expression) = '' THEN
        RAISE EXCEPTION 'watch: an expression is empty' USING ERRCODE = 'CF040', HINT = 'Write {= expression}, such as {= upper(status)}.';
    END IF;
    PERFORM set_config('role', owner, true);
    BEGIN
        PERFORM set_config('search_path', path, true);
        PERFORM set_config('standard_conforming_strings', 'on', true);   -- as where it will run
        PERFORM set_config('quote_all_identifiers', 'off', true);
        -- A cursor takes one statement only. What is an expression between parentheses and between THEN and END is one: a text
        -- that closes the one and opens it again breaks the other. WHERE refuses aggregates, windows and sets of rows.
        OPEN probe FOR EXECUTE format(E'SELECT FROM %s, LATERAL (SELECT (%s\n) FROM (SELECT new.*) AS "row") AS v', rows, expression);
        CLOSE probe;
        OPEN probe FOR EXECUTE format(
            E'SELECT FROM %s, LATERAL (SELECT FROM (SELECT new.*) AS "row" WHERE (CASE WHEN true THEN %s\n END) IS NOT NULL) AS v', rows, expression);
        CLOSE probe;
        EXECUTE format(
            E'CREATE VIEW cognifold_watch.probe AS SELECT v.cognifold_value FROM %1$s, '
            'LATERAL (SELECT (%2$s\n) AS cognifold_value FROM (SELECT new.*) AS "row") AS v', rows, expression);
        PERFORM pg_catalog.set_config('search_path', '', true);  -- so that every name is written out
        SELECT a.atttypid INTO type_was
        FROM pg_attribute AS a WHERE a.attrelid = 'cognifold_watch.probe'::regclass AND a.attname = 'cognifold_value';
        written := substring(pg_get_viewdef('cognifold_watch.probe'::regclass) FROM 'LATERAL \( SELECT\s+(.*) AS cognifold_value\s+FROM \( SELECT ');
        DROP VIEW cognifold_watch.probe;
        RAISE EXCEPTION USING ERRCODE = 'CF099', MESSAGE = 'seen enough';   -- takes the view back, and the settings
    EXCEPTION
        WHEN SQLSTATE 'CF099' THEN NULL;
        WHEN query_canceled THEN RAISE;
        WHEN OTHERS THEN reason := SQLERRM;
    END;
    PERFORM set_config('role', role_was, true);

    bare := regexp_replace(written, '''(?:[^'']|'''')*''', '''''', 'g');
    SELECT min(p.proname) INTO banned
    FROM regexp_matches(bare, '(?:([a-z_][a-z0-9_$]*|"[^"]+")\.)?([a-z_][a-z0-9_$]*|"[^"]+")\(', 'g') AS f (name)
    JOIN pg_namespace AS s ON quote_ident(s.nspname) = coalesce(f.name[1], 'pg_catalog')
    JOIN pg_proc AS p ON p.pronamespace = s.oid AND quote_ident(p.proname) = f.name[2] AND p.provolatile = 'v';
    reason := CASE
        WHEN reason IS NOT NULL THEN reason
        WHEN written IS NULL THEN 'it is no expression over one row'
        WHEN regexp_replace(bare, '"(?:[^"]|"")*"', '', 'g') ~* '\mselect\M' THEN 'it reads other rows'
        WHEN banned IS NOT NULL THEN format('%s() is volatile', banned)
        WHEN wanted = 'boolean' AND type_was <> 'boolean'::regtype THEN format('it is of type %s, not boolean', type_was)
    END;
    IF reason IS NOT NULL THEN
        RAISE EXCEPTION 'watch: the expression % cannot be used: %', quote_literal(expression), reason
            USING ERRCODE = 'CF040',
                  HINT = 'One expression over the columns of the row (column, new.column, old.column), without subqueries, aggregates or volatile functions.';
    END IF;
    RETURN written;
END
$$;
COMMENT ON FUNCTION cognifold.checked_expression(regclass, text, text, text, text) IS
    'The expression as PostgreSQL understood it, every name qualified; CF040 with the reason where it is not a single expression over one row, is not of the type wanted (boolean, or NULL for any), reads other rows or calls what is volatile. Internal: for watch.';
