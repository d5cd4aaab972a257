-- forget_deleted: forgets what watches remembered of rows that were deleted, those of one watch at once.
CREATE OR REPLACE FUNCTION cognifold.forget_deleted(tenant text, deleted jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    IF deleted = '[]' THEN
        RETURN;
    END IF;
    PERFORM cognifold.forget_watched(tenant, w, d.row_keys, d.source_keys)
    FROM (SELECT r.watch, array_agg(r.row_key) FILTER (WHERE r.row_key IS NOT NULL) AS row_keys,
                 array_agg(r.source_key) FILTER (WHERE r.source_key IS NOT NULL) AS source_keys
          FROM jsonb_to_recordset(deleted) AS r (watch integer, row_key text, source_key text)
          GROUP BY r.watch ORDER BY r.watch) AS d
    JOIN cognifold.watch AS w ON w.watch_id = d.watch;
END
$$;
COMMENT ON FUNCTION cognifold.forget_deleted(text, jsonb) IS 'deleted: what deleted_row gave for each row. Internal: take_captures calls it.';

CREATE OR REPLACE FUNCTION cognifold.deleted_row(capture cognifold_watch.inbox, made_by cognifold.watch) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT jsonb_build_object('watch', (made_by).watch_id, 'row_key', cognifold.captured_row_key(capture, made_by),
                              'source_key', cognifold.captured_source_key(capture, made_by))
$$;
COMMENT ON FUNCTION cognifold.deleted_row(cognifold_watch.inbox, cognifold.watch) IS 'By what the events of a deleted row are known: {watch, row_key, source_key}. Internal.';
