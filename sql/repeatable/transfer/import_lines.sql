-- import_lines: writes the rows of one table from lines of an export, some thousand at a time; an error names the line.
CREATE OR REPLACE FUNCTION cognifold.import_lines(
    tenant text, relation text, lines regclass, first bigint, last bigint, model_id smallint, vectors boolean
) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    step      CONSTANT bigint := 5000;   -- what checks of foreign keys are remembered for at once
    statement text := cognifold.import_statement(relation, lines, vectors);
    -- What is not taken along but may stand in the file: vectors where they are made anew.
    allowed   text[] := (SELECT array_agg(c.name) FROM cognifold.transfer_tables() AS t
                         CROSS JOIN LATERAL cognifold.transfer_columns(t.relation, t.own_columns) AS c WHERE t.relation = import_lines.relation);
    since     bigint := first;
    upto      bigint;
    odd       bigint;
    wrong     text;
BEGIN
    WHILE since <= last LOOP
        upto := least(last, since + step - 1);
        odd := NULL;
        BEGIN
            EXECUTE format('SELECT min(l.place) FROM %s AS l WHERE l.place BETWEEN $1 AND $2 AND (l.line::jsonb -> ''values'') - $3 IS DISTINCT FROM ''{}''', lines)
            INTO odd USING since, upto, allowed;
            IF odd IS NULL THEN
                EXECUTE statement USING tenant, since, upto, model_id;
            ELSE
                EXECUTE format('SELECT left(((l.line::jsonb -> ''values'') - $2)::text, 100) FROM %s AS l WHERE l.place = $1', lines) INTO wrong USING odd, allowed;
                wrong := 'this version knows no such value: ' || coalesce(wrong, 'no values at all');
            END IF;
        EXCEPTION WHEN data_exception OR integrity_constraint_violation THEN
            -- One of these: which?
            wrong := SQLERRM;
            FOR odd IN EXECUTE format('SELECT l.place FROM %s AS l WHERE l.place BETWEEN $1 AND $2 ORDER BY l.place', lines) USING since, upto LOOP
                BEGIN
                    EXECUTE statement USING tenant, odd, odd, model_id;
                EXCEPTION WHEN data_exception OR integrity_constraint_violation THEN
                    wrong := SQLERRM;
                    EXIT;
                END;
            END LOOP;
        END;
        IF odd IS NOT NULL THEN
            EXECUTE format('SELECT count(*) FROM %s AS l WHERE l.place <= $1', lines) INTO odd USING odd;
            RAISE EXCEPTION 'line % cannot be imported into %: %', odd, relation, wrong
                USING ERRCODE = 'CF054', HINT = 'Nothing was written. The file was changed and signed anew, or was written by a version that stored what this one refuses.';
        END IF;
        since := upto + 1;
    END LOOP;
END
$$;
COMMENT ON FUNCTION cognifold.import_lines(text, text, regclass, bigint, bigint, smallint, boolean) IS
    'Writes the lines from first to last (places) into their table. CF054 names the line that is refused and why. Internal: import_tenant calls it.';
