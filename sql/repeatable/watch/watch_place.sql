-- watch_place: the table a watch is on now, whatever it is called: its triggers say so.
CREATE OR REPLACE FUNCTION cognifold.watch_place(watch_id integer)
RETURNS TABLE (relation regclass, called text, owner text, is_enabled boolean)
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT c.oid::regclass, format('%I.%I', s.nspname, c.relname), r.rolname::text, bool_and(t.tgenabled <> 'D')
    FROM pg_trigger AS t
    JOIN pg_proc AS p ON p.oid = t.tgfoid AND p.pronamespace = 'cognifold_watch'::regnamespace
                     AND p.proname IN (format('w%s_insert', watch_id), format('w%s_update', watch_id), format('w%s_delete', watch_id))
    JOIN pg_class AS c ON c.oid = t.tgrelid
    JOIN pg_namespace AS s ON s.oid = c.relnamespace
    JOIN pg_roles AS r ON r.oid = c.relowner
    GROUP BY c.oid, s.nspname, c.relname, r.rolname
$$;
COMMENT ON FUNCTION cognifold.watch_place(integer) IS
    'Where a watch''s triggers are: the table, its name and owner now, whether all of them are enabled. No row where the table is gone. Internal.';
