-- import_statement: the statement that writes lines of an export ($2 to $3 of a table of lines) into their table, for a tenant ($1)
-- of a model ($4).
CREATE OR REPLACE FUNCTION cognifold.import_statement(relation text, lines regclass, vectors boolean) RETURNS text
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT format(
        'INSERT INTO cognifold.%I (tenant_id%s) SELECT $1%s FROM (SELECT l.line::jsonb -> ''values'' AS v FROM %s AS l WHERE l.place BETWEEN $2 AND $3 ORDER BY l.place) AS l CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.%I, l.v) AS r',
        t.relation, string_agg(format(', %I', c.name), ''),
        string_agg(', ' || CASE
            WHEN t.given ? c.name THEN t.given ->> c.name
            WHEN c.is_json THEN format('l.v -> %L', c.name)
            -- A file of an earlier version does not know of the column.
            WHEN c.otherwise IS NOT NULL THEN format('CASE WHEN l.v ? %L THEN r.%I ELSE %s END', c.name, c.name, c.otherwise)
            ELSE format('r.%I', c.name) END, ''),
        lines, t.relation)
    FROM cognifold.transfer_tables() AS t
    CROSS JOIN LATERAL cognifold.transfer_columns(t.relation, CASE WHEN import_statement.vectors THEN '{}' ELSE t.vector_columns END) AS c
    WHERE t.relation = import_statement.relation
      AND (c.name <> ALL (t.own_columns) OR t.given ? c.name)
    GROUP BY t.relation
$$;
COMMENT ON FUNCTION cognifold.import_statement(text, regclass, boolean) IS
    'The INSERT for one table''s lines of an export; without vectors, what was summed of them is left out. Internal: import_lines runs it.';
