-- forget_watched: forgets what a watch has remembered of rows that were deleted, for a watch made with on_delete => 'forget'.
CREATE OR REPLACE FUNCTION cognifold.forget_watched(tenant text, made_by cognifold.watch, row_keys text[], source_keys text[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_variable
DECLARE
    own   CONSTANT text := 'watch ' || made_by.name;
    named uuid[];
BEGIN
    PERFORM cognifold.take_turn(tenant);
    -- Only what this watch has stored: a key is the table's owner's to say, and others' events are not.
    named := ARRAY(
        SELECT n.id
        FROM unnest(row_keys) AS k (key)
        CROSS JOIN LATERAL (SELECT format('watch:%s:%s:', made_by.name, k.key) AS begins) AS p
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.idempotency_key >= p.begins COLLATE "C" AND n.idempotency_key < (left(p.begins, -1) || ';') COLLATE "C"
        WHERE n.kind = 'event' AND n.source_agent = own AND cognifold.is_key_of_row(n.idempotency_key, p.begins)
        UNION
        SELECT n.id FROM unnest(source_keys) AS k (key)
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.idempotency_key = k.key
        WHERE n.kind = 'event' AND n.source_agent = own);
    PERFORM cognifold.forget_nodes(tenant, named, '{}'::jsonb, '{watch}', 'watch', false);
    DELETE FROM cognifold_watch.fault AS f USING unnest(row_keys) AS k (key)
    WHERE f.watch_id = made_by.watch_id AND f.row_key = left(k.key, 200);
END
$$;
COMMENT ON FUNCTION cognifold.forget_watched(text, cognifold.watch, text[], text[]) IS
    'Forgets the events that a watch has stored of rows with these keys (captured_row_key), or under these idempotency keys, and the faults of these rows. Internal: take_captures calls it for deleted rows.';

CREATE OR REPLACE FUNCTION cognifold.is_key_of_row(key text, begins text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    -- A row's key may have a colon in it: what follows must be a state, and not the rest of another row's key.
    SELECT pg_catalog.starts_with(key, begins)
           AND pg_catalog.substr(key, pg_catalog.length(begins) + 1) ~ '^([0-9a-f]{32}(:[0-9]+\.[0-9]+)?|gone:[0-9]+\.[0-9]+)$'
$$;
COMMENT ON FUNCTION cognifold.is_key_of_row(text, text) IS 'True if an idempotency key is "watch:NAME:ROW:", as it begins, and a state of that row (store_capture). Internal.';
