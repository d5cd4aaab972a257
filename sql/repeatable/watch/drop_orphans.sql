-- drop_orphans: clears up after watches whose table is gone, and ended ones that nothing waits for.
CREATE OR REPLACE FUNCTION cognifold.drop_orphans() RETURNS integer
LANGUAGE sql VOLATILE
SET search_path FROM CURRENT
AS $$
    SELECT count(cognifold.drop_watch(w.watch_id))::integer
    FROM cognifold.watch AS w
    LEFT JOIN cognifold.waiting_captures() AS c USING (watch_id)
    WHERE w.ended_at IS NOT NULL AND c.waiting IS NULL
       OR w.ended_at IS NULL AND NOT EXISTS (SELECT FROM cognifold.watch_place(w.watch_id))
$$;
COMMENT ON FUNCTION cognifold.drop_orphans() IS
    'Drops watches of tables that were dropped, and what ended and is drained; how many. Internal: watch, unwatch and take_captures call it.';
