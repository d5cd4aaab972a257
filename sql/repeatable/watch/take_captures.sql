-- take_captures: makes events of what watched tables have written, in order, each once: whatever folds calls it first.
CREATE OR REPLACE FUNCTION cognifold.take_captures(tenant text) RETURNS integer
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    size    integer;
    zone    text;
    latest  bigint;
    batch   cognifold_watch.inbox[];
    one     record;
    fresh   boolean;
    results jsonb;
    ended   boolean := false;
    total   integer := 0;
    state   text;
    reason  text;
    deleted jsonb := '[]';   -- rows whose events are to be forgotten, till something else is to be stored
BEGIN
    WHILE total = 0 LOOP   -- what made no event is no reason to say that nothing waits
        EXIT WHEN NOT EXISTS (SELECT FROM cognifold_watch.inbox AS i WHERE i.tenant_id = tenant);
        -- One at a time has the tenant's turn, to the end of his transaction; whoever comes meanwhile leaves it to him. To lock the
        -- oldest entry is not enough: one that was written before and committed after would give a second the turn, who would
        -- overtake the first. Keys that refer to the tenant do not wait for this lock.
        PERFORM FROM cognifold.tenant AS t WHERE t.tenant_id = tenant FOR NO KEY UPDATE SKIP LOCKED;
        EXIT WHEN NOT FOUND;
        size := coalesce(size, cognifold.setting('watch.batch', tenant)::integer);
        zone := coalesce(zone, (SELECT t.time_zone FROM cognifold.tenant AS t WHERE t.tenant_id = tenant));
        SELECT max(i.capture_id) INTO latest
        FROM (SELECT i.capture_id, sum(i.held) OVER (ORDER BY i.capture_id) - i.held AS before
              FROM (SELECT i.capture_id, i.held FROM cognifold_watch.inbox AS i WHERE i.tenant_id = tenant ORDER BY i.capture_id LIMIT size) AS i) AS i
        WHERE i.before < size;
        -- A range of the key, however much waits: not a join, whose plan would depend on what was last known of the table's size.
        WITH gone AS (
            DELETE FROM cognifold_watch.inbox AS i WHERE i.tenant_id = tenant AND i.capture_id <= latest RETURNING i AS taken
        )
        SELECT array_agg(g.taken ORDER BY (g.taken).capture_id) INTO batch FROM gone AS g;

        -- All at once, in one subtransaction; where one of them fails, each in its own.
        BEGIN
            results := '[]';
            FOR one IN SELECT c.* FROM cognifold.captures_of(batch) AS c LOOP
                IF one.is_allowed AND (one.capture).operation = 'D' AND (one.made_by).given ->> 'on_delete' = 'forget' THEN
                    deleted := deleted || cognifold.deleted_row(one.capture, one.made_by);
                    CONTINUE;
                END IF;
                PERFORM cognifold.forget_deleted(tenant, deleted);
                deleted := '[]';
                fresh := cognifold.store_capture(one.capture, one.place, one.made_by, one.is_allowed, zone);
                results := results || jsonb_build_object('watch', (one.made_by).watch_id, 'fresh', fresh);
            END LOOP;
            PERFORM cognifold.forget_deleted(tenant, deleted);
            deleted := '[]';
        EXCEPTION
            WHEN query_canceled OR lock_not_available THEN
                RAISE;
            WHEN OTHERS THEN
                IF cognifold.is_transient(SQLSTATE) THEN
                    RAISE;
                END IF;
                results := NULL;
                deleted := '[]';
        END;
        IF results IS NULL THEN
            results := '[]';
            FOR one IN SELECT c.* FROM cognifold.captures_of(batch) AS c LOOP
                fresh := NULL;   -- of what fails
                BEGIN
                    IF one.is_allowed AND (one.capture).operation = 'D' AND (one.made_by).given ->> 'on_delete' = 'forget' THEN
                        PERFORM cognifold.forget_deleted(tenant, jsonb_build_array(cognifold.deleted_row(one.capture, one.made_by)));
                        CONTINUE;
                    END IF;
                    fresh := cognifold.store_capture(one.capture, one.place, one.made_by, one.is_allowed, zone);
                EXCEPTION
                    WHEN query_canceled OR lock_not_available THEN
                        RAISE;
                    WHEN OTHERS THEN
                        GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, reason = MESSAGE_TEXT;
                        IF cognifold.is_transient(state) THEN
                            RAISE;
                        END IF;
                        PERFORM cognifold.note_fault(one.capture, one.made_by, state, reason);
                END;
                results := results || jsonb_build_object('watch', (one.made_by).watch_id, 'fresh', fresh);
            END LOOP;
        END IF;

        INSERT INTO cognifold.watch_count AS c (tenant_id, watch_id, events, repeated, refused, taken_at)
        SELECT tenant, (r.value ->> 'watch')::integer, count(*) FILTER (WHERE (r.value ->> 'fresh')::boolean),
               count(*) FILTER (WHERE NOT (r.value ->> 'fresh')::boolean), count(*) FILTER (WHERE r.value ->> 'fresh' IS NULL), clock_timestamp()
        FROM jsonb_array_elements(results) AS r (value)
        GROUP BY r.value ->> 'watch'
        ON CONFLICT (tenant_id, watch_id) DO UPDATE
            SET events = c.events + excluded.events, repeated = c.repeated + excluded.repeated, refused = c.refused + excluded.refused,
                taken_at = excluded.taken_at;
        total := total + (SELECT count(*) FROM jsonb_array_elements(results) AS r (value) WHERE (r.value ->> 'fresh')::boolean);
        ended := ended OR EXISTS (SELECT FROM cognifold.watch AS w JOIN unnest(batch) AS b ON b.watch_id = w.watch_id WHERE w.ended_at IS NOT NULL);
    END LOOP;
    IF ended THEN
        PERFORM cognifold.drop_orphans();
    END IF;
    RETURN total;
END
$$;
COMMENT ON FUNCTION cognifold.take_captures(text) IS
    'Takes about watch.batch captured rows of the tenant out of the inbox, oldest first, and stores their events, in the caller''s transaction; goes on while none of them made one. Returns how many did. Of a deleted row whose watch says so what was remembered is forgotten. A row that makes no event leaves a fault. Of several callers one has the turn; the others find nothing. Internal: fold and claim_folds call it.';
