-- health: whether the memory works, proved by doing it: an event is stored, folded and recalled, and all of that undone.
CREATE OR REPLACE FUNCTION cognifold.health() RETURNS TABLE (name text, ok boolean, detail text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    text_one CONSTANT text := 'The lighthouse keeper polished the brass lantern';
    text_two CONSTANT text := 'The lighthouse keeper polished the brass lantern again';
    probe    text := 'health ' || gen_random_uuid();
    model    smallint;
    event    uuid;
    stored   boolean;
    folded   bigint;
    answer   text;
    found    boolean;
    obstacle text;
BEGIN
    RETURN QUERY
    SELECT 'encoding', current_setting('server_encoding') = 'UTF8', current_setting('server_encoding')
    UNION ALL
    SELECT 'extension', coalesce((regexp_match(e.extversion, '^(\d+)\.(\d+)'))::integer[] >= '{0,7}', false),
           coalesce(format('pgvector %s in schema %s', e.extversion, s.nspname), 'pgvector is not installed')
    FROM (VALUES (1)) AS one
    LEFT JOIN pg_extension AS e ON e.extname = 'vector'
    LEFT JOIN pg_namespace AS s ON s.oid = e.extnamespace
    UNION ALL
    SELECT 'schema', coalesce(v.version_num = f.newest, false),
           format('%s, installed by version %s', coalesce(v.version_num, 'no revision'), coalesce(f.package, 'unknown'))
    FROM (SELECT substring(max(m.name COLLATE "C") FILTER (WHERE m.name LIKE 'versioned/%') FROM '/(.*)\.sql$') AS newest,
                 (array_agg(m.version ORDER BY m.applied_at DESC))[1] AS package
          FROM cognifold.schema_migration AS m) AS f
    LEFT JOIN cognifold.alembic_version AS v ON true
    UNION ALL
    SELECT 'lexicon', coalesce(r.word_count = w.number, false),
           CASE WHEN r.word_count IS NULL THEN 'not loaded: run cognifold init' ELSE format('%s of %s words', w.number, r.word_count) END
    FROM (SELECT count(*) AS number FROM cognifold.lexicon) AS w
    LEFT JOIN cognifold.lexicon_release AS r ON true
    UNION ALL
    SELECT 'row level security', count(*) FILTER (WHERE NOT t.guarded) = 0,
           format('%s of %s tables with a tenant are guarded', count(*) FILTER (WHERE t.guarded), count(*))
    FROM (SELECT c.relrowsecurity AND c.relforcerowsecurity AND EXISTS (SELECT FROM pg_policy AS p WHERE p.polrelid = c.oid) AS guarded
          FROM pg_class AS c
          JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
          WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind IN ('r', 'p')) AS t;

    -- In a tenant that nobody else ever sees: what this block does is taken back at its end, whatever happens.
    BEGIN
        PERFORM set_config('cognifold.tenant', probe, true);
        SELECT m.model_id INTO STRICT model FROM cognifold.embedding_model AS m WHERE m.name = 'lexicon';
        PERFORM cognifold.make_tenant(probe, NULL, 'UTC', model);
        -- Whoever asks may use this tenant, also where bound to another or only a monitor.
        INSERT INTO cognifold.tenant_member (role_name, tenant_id)
        VALUES (cognifold.effective_role(), probe), (session_user, probe)
        ON CONFLICT DO NOTHING;
        event := cognifold.remember(text_one, idempotency_key => 'one', tenant => probe);
        PERFORM cognifold.remember(text_two, idempotency_key => 'two', tenant => probe);
        SELECT count(*) = 1 INTO stored
        FROM cognifold.node_content AS c WHERE c.tenant_id = probe AND c.node_id = event AND c.content = text_one;
        SELECT count(*) FILTER (WHERE f.outcome = 'folded') INTO folded FROM cognifold.fold(10, probe) AS f;
        SELECT r.content INTO answer FROM cognifold.recall('who polished the lantern?', 1, ARRAY['event'], tenant => probe) AS r;
        found := coalesce(answer IN (text_one, text_two), false);
        RAISE EXCEPTION USING ERRCODE = 'CF099', MESSAGE = 'the round trip is complete';
    EXCEPTION
        WHEN SQLSTATE 'CF099' THEN NULL;
        WHEN OTHERS THEN obstacle := format('%s (SQLSTATE %s)', SQLERRM, SQLSTATE);
    END;
    RETURN QUERY VALUES
        ('write', coalesce(stored, false),
         CASE WHEN stored THEN 'an event was stored and read back'
              WHEN NOT stored THEN 'an event was stored, and what was read back is not what was stored'
              ELSE obstacle END),
        ('fold', coalesce(folded = 2, false),
         CASE WHEN folded IS NOT NULL THEN format('%s of 2 events were folded', folded)
              WHEN stored IS NULL THEN 'not reached' ELSE obstacle END),
        ('recall', coalesce(found, false),
         CASE WHEN found THEN 'a question found the event'
              WHEN NOT found THEN format('a question found %s', coalesce(quote_literal(answer), 'nothing'))
              WHEN folded IS NULL THEN 'not reached' ELSE obstacle END);
END
$$;
COMMENT ON FUNCTION cognifold.health() IS
    'Whether the memory works, a row a check: encoding, extension, schema, lexicon, row level security; and write, fold, recall: two events are stored in a tenant made for it, read back, folded and found by a question, and all of it is rolled back. ok is true only where it was really done. On a read-only server write says so and is false.';

CREATE OR REPLACE VIEW cognifold.health WITH (security_invoker = true) AS
SELECT h.name, h.ok, h.detail FROM cognifold.health() AS h;
COMMENT ON VIEW cognifold.health IS 'The checks of the function health(), which each look runs anew.';
