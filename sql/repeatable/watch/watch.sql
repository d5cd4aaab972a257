-- watch: from now on, what is written to a table of an application becomes events.
CREATE OR REPLACE FUNCTION cognifold.watch(
    relation          regclass,
    content           text,
    title             text DEFAULT NULL,
    occurred_at       text DEFAULT NULL,
    actor             text DEFAULT NULL,
    tenants           text DEFAULT NULL,
    deadline          text DEFAULT NULL,
    source_key        text DEFAULT NULL,
    payload           text[] DEFAULT '{}',
    only_if           text DEFAULT NULL,
    operations        text[] DEFAULT '{insert,update}',
    changed           text[] DEFAULT NULL,
    content_of_update text DEFAULT NULL,
    on_delete         text DEFAULT 'ignore',
    content_of_delete text DEFAULT NULL,
    source            text DEFAULT NULL,
    name              text DEFAULT NULL,
    path              text DEFAULT current_setting('search_path')
) RETURNS text
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    texts       CONSTANT jsonb := jsonb_strip_nulls(jsonb_build_object(
        'content', content, 'title', title, 'occurred_at', occurred_at, 'actor', actor, 'tenants', tenants, 'deadline', deadline,
        'source_key', source_key, 'content_of_update', content_of_update, 'content_of_delete', content_of_delete));
    role_was    CONSTANT text := current_setting('role');
    begun       record;
    parts       jsonb;               -- every template's: {"field", "number", "place", "kind", "value"}
    written     jsonb := '{}';       -- each expression as PostgreSQL understood it
    taken       jsonb;               -- what a capture holds: {"kind": column | json | expression, "name", ...}
    templates   jsonb;
    tenant      text;
    row_key     text[];
    used        text[];
    spec        jsonb;
    expression  text;
    statements  text[];
    statement   text;
    wrong       text;
BEGIN
    wrong := CASE
        WHEN relation IS NULL THEN 'no relation is given'
        WHEN content IS NULL OR content ~ '^\s*$' THEN 'content is empty'
        WHEN operations IS NULL OR NOT operations <@ '{insert,update}' OR operations = '{}' AND on_delete = 'ignore'
            THEN format('operations = %s: choose among insert and update; deletions are on_delete''s', coalesce(operations::text, 'NULL'))
        WHEN on_delete IS NULL OR on_delete NOT IN ('ignore', 'event', 'forget')
            THEN format('on_delete = %L is not one of ignore, event, forget', on_delete)
        WHEN content_of_update IS NOT NULL AND NOT 'update' = ANY (operations) THEN 'content_of_update is given, but updates are not captured'
        WHEN content_of_delete IS NOT NULL AND on_delete <> 'event' THEN 'content_of_delete is given, but on_delete is not ''event'''
        WHEN changed IS NOT NULL AND NOT 'update' = ANY (operations) THEN 'changed is given, but updates are not captured'
        WHEN changed = '{}' THEN 'changed is empty: name columns, or leave it out for all that are used'
        WHEN octet_length(source) > 1000 THEN 'source is longer than 1000 bytes'
        WHEN octet_length(name) > 200 THEN 'name is longer than 200 bytes'
    END;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'watch: %', wrong USING ERRCODE = 'CF040', HINT = 'Nothing was changed. \df+ cognifold.watch and its comment say what each argument takes.';
    END IF;

    SELECT array_agg(a.attname::text ORDER BY k.ordinality) INTO row_key
    FROM pg_index AS i CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (number, ordinality)
    JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
    WHERE i.indrelid = relation AND i.indisprimary AND k.ordinality <= i.indnkeyatts;
    IF on_delete = 'forget' AND row_key IS NULL AND source_key IS NULL THEN
        RAISE EXCEPTION 'watch: on_delete = ''forget'' cannot tell which events are of a row of %, which has no primary key', relation
            USING ERRCODE = 'CF045', HINT = 'Give the table a primary key or the watch a source_key, or use ''event'' or ''ignore''.';
    END IF;

    -- Whose the rows are: one tenant's, or each what it says.
    IF NOT EXISTS (SELECT FROM cognifold.template_parts(tenants) AS p WHERE p.kind <> 'text') THEN
        tenant := coalesce((SELECT string_agg(p.value, '' ORDER BY p.place) FROM cognifold.template_parts(tenants) AS p), cognifold.required_tenant());
    END IF;
    SELECT b.* INTO begun FROM cognifold.begin_watch(relation, name, tenant) AS b;

    SELECT coalesce(jsonb_agg(jsonb_build_object('field', f.field, 'number', f.number, 'place', p.place, 'kind', p.kind, 'value', p.value)
                              ORDER BY f.field, f.number, p.place), '[]')
    INTO parts
    FROM (SELECT t.key AS field, 1 AS number, t.value AS template FROM jsonb_each_text(texts) AS t) AS f
    CROSS JOIN LATERAL cognifold.template_parts(f.template) AS p;
    parts := parts
        || coalesce((SELECT jsonb_agg(jsonb_build_object('field', 'row key', 'number', k.ordinality, 'place', 1, 'kind', 'row', 'value', k.name))
                     FROM unnest(row_key) WITH ORDINALITY AS k (name, ordinality)), '[]')
        || coalesce((SELECT jsonb_agg(jsonb_build_object('field', 'payload', 'number', k.ordinality, 'place', 1, 'kind', 'row', 'value', k.name))
                     FROM unnest(payload) WITH ORDINALITY AS k (name, ordinality)), '[]')
        || coalesce((SELECT jsonb_agg(jsonb_build_object('field', 'changed', 'number', k.ordinality, 'place', 1, 'kind', 'row', 'value', k.name))
                     FROM unnest(changed) WITH ORDINALITY AS k (name, ordinality)), '[]');

    FOR expression IN
        SELECT DISTINCT p.value ->> 'value' FROM jsonb_array_elements(parts) AS p (value) WHERE p.value ->> 'kind' = 'expression'
    LOOP
        written := written || jsonb_build_object(expression, cognifold.checked_expression(relation, begun.owner, path, expression));
    END LOOP;
    IF only_if IS NOT NULL THEN
        written := written || jsonb_build_object(' only_if', cognifold.checked_expression(relation, begun.owner, path, only_if, 'boolean'));
    END IF;
    SELECT array_agg(DISTINCT u.name) INTO used
    FROM (SELECT p.value ->> 'value' FROM jsonb_array_elements(parts) AS p (value) WHERE p.value ->> 'kind' IN ('row', 'new', 'old')
          UNION
          SELECT replace(btrim(r.found[1], '"'), '""', '"')
          FROM jsonb_each_text(written) AS w
          CROSS JOIN regexp_matches(regexp_replace(w.value, '''(?:[^'']|'''')*''', '''''', 'g'),
                                    '(?:"row"|\mnew|\mold)\.("(?:[^"]|"")+"|[a-z_][a-z0-9_$]*)', 'g') AS r (found)) AS u (name);
    SELECT CASE WHEN a.attname IS NULL THEN format('%s has no column %I', relation, u.name)
                ELSE format('column %I is generated when it is read, and no trigger sees it: use its expression', u.name) END
    INTO wrong
    FROM unnest(used) AS u (name)
    LEFT JOIN pg_attribute AS a ON a.attrelid = relation AND a.attname = u.name AND a.attnum > 0 AND NOT a.attisdropped
    WHERE a.attname IS NULL OR a.attgenerated = 'v'
    ORDER BY u.name LIMIT 1;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'watch: %', wrong
            USING ERRCODE = 'CF040', HINT = 'Columns are named as they are stored, without quotes: {status}, {Order Id}, {old.status}.';
    END IF;

    WITH needed AS (   -- each value once; what goes into a payload as JSON apart from its text
        SELECT n.kind, n.name, row_number() OVER (ORDER BY min(n.number)) AS place,
               CASE WHEN n.kind = 'expression' THEN 'text'
                    WHEN t.typcategory = 'N' AND b.typname IN ('int2', 'int4', 'int8', 'numeric', 'float4', 'float8') THEN 'number'
                    WHEN b.typname = 'bool' THEN 'boolean' WHEN n.kind = 'json' THEN 'json' ELSE 'text' END AS meant,
               b.typname, b.typtype
        FROM (SELECT p.ordinality AS number, p.value ->> 'value' AS name,
                     CASE WHEN p.value ->> 'kind' = 'expression' THEN 'expression'
                          WHEN p.value ->> 'field' = 'payload' AND (t.typcategory IN ('A', 'C') OR t.typname IN ('json', 'jsonb')) THEN 'json'
                          ELSE 'column' END AS kind
              FROM jsonb_array_elements(parts) WITH ORDINALITY AS p (value, ordinality)
              LEFT JOIN pg_attribute AS a ON a.attrelid = relation AND a.attname = p.value ->> 'value' AND a.attnum > 0
              LEFT JOIN pg_type AS t ON t.oid = a.atttypid
              WHERE p.value ->> 'kind' <> 'text') AS n
        LEFT JOIN pg_attribute AS a ON n.kind <> 'expression' AND a.attrelid = relation AND a.attname = n.name AND a.attnum > 0
        LEFT JOIN pg_type AS t ON t.oid = a.atttypid
        LEFT JOIN pg_type AS b ON b.oid = CASE t.typtype WHEN 'd' THEN t.typbasetype ELSE t.oid END
        GROUP BY n.kind, n.name, t.typcategory, b.typname, b.typtype
    )
    SELECT jsonb_agg(jsonb_build_object('kind', n.kind, 'name', n.name, 'meant', n.meant,
               -- The text of all others follows settings of the session.
               'styled', coalesce(n.typname NOT IN ('int2', 'int4', 'int8', 'numeric', 'bool', 'text', 'varchar', 'bpchar', 'name', 'uuid')
                                  AND n.typtype <> 'e', true)) ORDER BY n.place)
    INTO taken FROM needed AS n;

    WITH places AS (
        SELECT t.value ->> 'kind' AS kind, t.value ->> 'name' AS name, t.ordinality AS place
        FROM jsonb_array_elements(taken) WITH ORDINALITY AS t (value, ordinality)
    ), placed AS (
        SELECT p.value ->> 'field' AS field, (p.value ->> 'number')::integer AS number, (p.value ->> 'place')::integer AS step,
               p.value ->> 'kind' AS kind, p.value ->> 'value' AS value, s.place
        FROM jsonb_array_elements(parts) AS p (value)
        LEFT JOIN LATERAL (
            SELECT s.place FROM places AS s
            WHERE s.name = p.value ->> 'value' AND (s.kind = 'expression') = (p.value ->> 'kind' = 'expression')
            ORDER BY (s.kind = 'json') = (p.value ->> 'field' = 'payload') DESC LIMIT 1) AS s ON p.value ->> 'kind' <> 'text'
    )
    SELECT coalesce(jsonb_object_agg(f.field, f.compiled) FILTER (WHERE f.field NOT IN ('row key', 'payload', 'changed')), '{}')
           || jsonb_build_object(
               'payload', coalesce((SELECT jsonb_object_agg(p.value, p.place) FROM placed AS p WHERE p.field = 'payload'), '{}'),
               'row key', coalesce((SELECT jsonb_agg(p.place ORDER BY p.number) FROM placed AS p WHERE p.field = 'row key'), '[]'))
    INTO templates
    FROM (SELECT p.field, jsonb_agg(CASE p.kind WHEN 'text' THEN 'L' || p.value WHEN 'old' THEN 'O' || p.place ELSE
                                         CASE p.kind WHEN 'new' THEN 'A' ELSE 'N' END || p.place END ORDER BY p.step) AS compiled
          FROM placed AS p GROUP BY p.field) AS f;

    spec := jsonb_build_object(
        'values', taken,
        'expressions', coalesce((SELECT jsonb_agg(jsonb_build_object('place', t.ordinality, 'sql', written ->> (t.value ->> 'name')))
                                 FROM jsonb_array_elements(taken) WITH ORDINALITY AS t (value, ordinality)
                                 WHERE t.value ->> 'kind' = 'expression'), '[]'),
        'filter', written -> ' only_if',
        'tenant', CASE WHEN tenant IS NOT NULL THEN jsonb_build_array(jsonb_build_object('kind', 'text', 'value', tenant))
                       ELSE (SELECT jsonb_agg(jsonb_build_object('kind', p.value ->> 'kind', 'value', CASE p.value ->> 'kind'
                                 WHEN 'expression' THEN (SELECT t.ordinality::text FROM jsonb_array_elements(taken) WITH ORDINALITY AS t (value, ordinality)
                                                         WHERE t.value ->> 'kind' = 'expression' AND t.value ->> 'name' = p.value ->> 'value')
                                 ELSE p.value ->> 'value' END) ORDER BY (p.value ->> 'place')::integer)
                             FROM jsonb_array_elements(parts) AS p (value) WHERE p.value ->> 'field' = 'tenants') END,
        'compared', to_jsonb(coalesce(changed, used, '{}')),
        'key', to_jsonb(coalesce(row_key, '{}')),
        'styled', (SELECT coalesce(bool_or((t.value ->> 'styled')::boolean), false) FROM jsonb_array_elements(taken) AS t (value)),
        'both_sides', EXISTS (SELECT FROM jsonb_array_elements(parts) AS p (value)
                              WHERE p.value ->> 'field' = 'tenants' AND p.value ->> 'kind' IN ('old', 'new')));

    statements := ARRAY(
        SELECT s.statement
        FROM unnest(operations || CASE on_delete WHEN 'ignore' THEN '{}'::text[] ELSE ARRAY['delete'] END
                    || CASE WHEN row_key IS NULL THEN '{}'::text[] ELSE ARRAY['backfill'] END) AS o (operation)
        CROSS JOIN LATERAL cognifold.watch_source(begun.watch_id, relation, o.operation, spec) WITH ORDINALITY AS s (statement, ordinality)
        ORDER BY o.operation, s.ordinality);
    PERFORM set_config('role', begun.owner, true);
    FOREACH statement IN ARRAY statements LOOP
        EXECUTE statement;
    END LOOP;
    PERFORM set_config('role', role_was, true);
    PERFORM cognifold.record_watch(
        begun.watch_id, relation, coalesce(NULLIF(btrim(source), ''), begun.called),
        operations || CASE on_delete WHEN 'ignore' THEN '{}'::text[] ELSE ARRAY['delete'] END,
        texts || jsonb_strip_nulls(jsonb_build_object('payload', payload, 'only_if', only_if, 'changed', changed, 'on_delete', on_delete)),
        taken, templates, ARRAY(SELECT k.value::integer FROM jsonb_array_elements_text(templates -> 'row key') AS k (value)), used);
    RETURN begun.name;
END
$$;
COMMENT ON FUNCTION cognifold.watch(regclass, text, text, text, text, text, text, text, text[], text, text[], text[], text, text, text, text, text, text) IS
    'From now on each row that is written to the table becomes an event, by triggers that only copy values: nothing of it can make the application''s statement fail. Returns the name of the watch. content, title, occurred_at, actor, tenants, deadline, source_key, content_of_update, content_of_delete are templates: words, {column}, {old.column}, {new.column}, {= SQL expression over the row}; braces are written twice. tenants: whose event it is (default: the tenant that is set). source_key: rows with the same are one event (default: a row is an event for each state that was written). payload: columns that go into the event''s payload. only_if: a SQL condition. operations: insert, update. changed: an update is an event only where one of these columns changed (default: any that is used). on_delete: ignore; event; or forget: once the deletion is taken in, what this watch has remembered of the row is forgotten (see forget). source: the events'' source (default: the table''s name). name: what unwatch calls it (default: the table''s name). path: where the expressions'' names are looked up (default: search_path). For the table''s owner or who may become it. Raises CF040 for a bad argument, CF041 for a relation that cannot be watched, CF043 for a name that is taken, CF045 for forget where a row has neither primary key nor source_key.';
