-- captures_of: captured rows, one by one, with the watch each belongs to; those that no watch's trigger has written are nobody's.
CREATE OR REPLACE FUNCTION cognifold.captures_of(batch cognifold_watch.inbox[])
RETURNS TABLE (capture cognifold_watch.inbox, place integer, made_by cognifold.watch, is_allowed boolean)
LANGUAGE sql STABLE ROWS 50
SET search_path FROM CURRENT
AS $$
    WITH known AS MATERIALIZED (
        -- Whom the trigger runs as: another than it was where the role was renamed or its functions were handed on. These rows are
        -- faults; what somebody else has written is nobody's.
        SELECT w AS made_by, w.watch_id, w.owner,
               ARRAY(SELECT r.rolname::text FROM pg_proc AS p JOIN pg_roles AS r ON r.oid = p.proowner
                     WHERE p.pronamespace = 'cognifold_watch'::regnamespace
                       AND p.proname IN (format('w%s_insert', w.watch_id), format('w%s_update', w.watch_id), format('w%s_delete', w.watch_id),
                                         format('w%s_backfill', w.watch_id))) AS runs_as,
               coalesce(w.only_tenant = b.tenant_id, true) AND cognifold.role_permitted(w.created_by, w.created_as, b.tenant_id) AS is_allowed
        FROM (SELECT DISTINCT b.watch_id, b.tenant_id FROM unnest(batch) AS b) AS b
        JOIN cognifold.watch AS w ON w.watch_id = b.watch_id
    )
    SELECT ROW(b.tenant_id, b.capture_id, b.watch_id, b.operation, b.captured_at, b.captured_by, 1,
               ARRAY(SELECT v.value FROM unnest(b.row_values[i.place:i.place]) WITH ORDINALITY AS v (value, place) ORDER BY v.place),
               CASE WHEN b.old_values IS NOT NULL THEN
                   ARRAY(SELECT v.value FROM unnest(b.old_values[i.place:i.place]) WITH ORDINALITY AS v (value, place) ORDER BY v.place) END
           )::cognifold_watch.inbox, i.place, k.made_by, k.is_allowed AND b.captured_by = k.owner
    FROM unnest(batch) AS b
    JOIN known AS k ON k.watch_id = b.watch_id AND (b.captured_by = k.owner OR b.captured_by = ANY (k.runs_as))
    CROSS JOIN LATERAL generate_series(1, array_length(b.row_values, 1)) AS i (place)
    ORDER BY b.capture_id, i.place
$$;
COMMENT ON FUNCTION cognifold.captures_of(cognifold_watch.inbox[]) IS
    'The captured rows in order, each as a capture of its own with its place in the entry, its watch and whether it was written as the watch''s owner and who made the watch may still use the tenant. Internal: for take_captures.';
