-- has_room: whether another fault of a watch is kept.
CREATE OR REPLACE FUNCTION cognifold_watch.has_room(watch_id integer) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
    SELECT count(*) < (SELECT 2 * d.value FROM cognifold.setting_default AS d WHERE d.name = 'watch.faults')
    FROM (SELECT FROM cognifold_watch.fault AS f WHERE f.watch_id = has_room.watch_id
          LIMIT (SELECT 2 * d.value FROM cognifold.setting_default AS d WHERE d.name = 'watch.faults')::bigint) AS f
$$;
COMMENT ON FUNCTION cognifold_watch.has_room(integer) IS
    'Whether the watch has fewer faults than twice watch.faults: take_captures and backfill drop the oldest beyond that number. Internal: triggers of watches ask.';
