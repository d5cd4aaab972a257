-- backfill: captures rows that were there before the watch, a batch a call, in order of their primary key.
CREATE OR REPLACE FUNCTION cognifold.backfill(name text, batch integer DEFAULT 1000, restart boolean DEFAULT false)
RETURNS TABLE (seen bigint, total bigint, done boolean)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 1
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    filled cognifold.watch;
    place  regclass;
    size   integer := batch;
    upto   text[];
    state  text;
    reason text;
BEGIN
    IF batch IS NULL OR batch < 1 THEN
        RAISE EXCEPTION 'backfill: batch = % is not a positive number', coalesce(batch::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Say how many rows to read at most.';
    END IF;
    -- What it will write to, before the table is read: unwatch takes them in this order, too.
    LOCK TABLE cognifold.watch IN ROW EXCLUSIVE MODE;
    SELECT w.* INTO filled FROM cognifold.watch AS w WHERE w.watch_id = cognifold.known_watch(name, 'backfill') FOR UPDATE;
    SELECT p.relation INTO place FROM cognifold.watch_place(filled.watch_id) AS p;
    IF place IS NULL OR filled.ended_at IS NOT NULL THEN
        RAISE EXCEPTION 'backfill: the watch % has ended, or its table is gone', quote_literal(filled.name)
            USING ERRCODE = 'CF042', HINT = 'Watch the table anew.';
    ELSIF filled.key_places = '{}' THEN
        RAISE EXCEPTION 'backfill: % has no primary key to go through its rows by', place
            USING ERRCODE = 'CF044', HINT = 'Give it one, and watch it anew.';
    END IF;
    upto := CASE WHEN restart THEN NULL ELSE filled.backfill_after END;
    LOOP
        BEGIN
            SELECT b.seen, b.last INTO seen, filled.backfill_after FROM cognifold_watch.read_page(filled.watch_id, place, upto, size, false) AS b;
            EXIT;
        EXCEPTION
            WHEN query_canceled OR lock_not_available THEN
                RAISE;
            WHEN OTHERS THEN
                GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, reason = MESSAGE_TEXT;
                IF state !~ '^(22|23|P0|XX)' THEN
                    RAISE EXCEPTION 'backfill: % cannot be read as it was watched: %', place, reason
                        USING ERRCODE = 'CF044', HINT = 'Where columns have changed: unwatch, watch anew, and backfill from the start.';
                END IF;
        END;
        IF size = 1 THEN   -- this row it is: it is passed over
            SELECT b.seen, b.last INTO seen, filled.backfill_after FROM cognifold_watch.read_page(filled.watch_id, place, upto, 1, true) AS b;
            INSERT INTO cognifold_watch.fault (watch_id, operation, state, message, row_key)
            VALUES (filled.watch_id, 'backfill', state, left(regexp_replace(reason, ': ".*|".*"', '', 'g'), 500), left(array_to_string(filled.backfill_after, ','), 200));
            EXIT;
        END IF;
        size := size / 2;
    END LOOP;
    done := seen = 0;
    total := CASE WHEN restart THEN 0 ELSE filled.backfilled END + seen;
    UPDATE cognifold.watch AS w
    SET backfill_after = CASE WHEN done THEN upto ELSE filled.backfill_after END, backfilled = total,
        backfilled_at = CASE WHEN done THEN clock_timestamp() END
    WHERE w.watch_id = filled.watch_id;
    RETURN NEXT;
END
$$;
COMMENT ON FUNCTION cognifold.backfill(text, integer, boolean) IS
    'Captures up to batch rows of a watched table that were there before, in order of the primary key, and goes on from there at the next call; restart begins anew. Returns how many rows this call has seen, how many in all, and whether nothing was left. A row whose state was captured before, by a trigger or by backfill, makes no second event. Commit after each call, so that what is done is done. Raises CF042 for an unknown watch, CF044 where there is no primary key or the columns have changed.';
