-- note_fault: why a captured row made no event, by the row's key and without what the row says.
CREATE OR REPLACE FUNCTION cognifold.note_fault(capture cognifold_watch.inbox, made_by cognifold.watch, state text, reason text) RETURNS void
LANGUAGE sql VOLATILE
SET search_path FROM CURRENT
AS $$
    INSERT INTO cognifold_watch.fault (watch_id, operation, state, message, row_key)
    VALUES ((made_by).watch_id, 'event', state, left(regexp_replace(reason, ': ''.*|: ".*', ''), 500),
            left((SELECT string_agg((capture).row_values[k.place], ',' ORDER BY k.ordinality)
                  FROM unnest((made_by).key_places) WITH ORDINALITY AS k (place, ordinality)), 200));
    -- The latest are kept.
    DELETE FROM cognifold_watch.fault AS f
    WHERE f.watch_id = (made_by).watch_id AND f.fault_id IN (
        SELECT o.fault_id FROM cognifold_watch.fault AS o WHERE o.watch_id = (made_by).watch_id
        ORDER BY o.fault_id DESC OFFSET (SELECT d.value FROM cognifold.setting_default AS d WHERE d.name = 'watch.faults')::bigint
        FOR UPDATE SKIP LOCKED);
$$;
COMMENT ON FUNCTION cognifold.note_fault(cognifold_watch.inbox, cognifold.watch, text, text) IS
    'Writes a fault of an event and drops the watch''s oldest beyond watch.faults. Internal: for take_captures.';
