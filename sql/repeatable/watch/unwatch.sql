-- unwatch: ends a watch. Nothing of it is left on the table; what it captured before still becomes events.
CREATE OR REPLACE FUNCTION cognifold.unwatch(name text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    found_id integer;
    waiting  bigint;
BEGIN
    LOCK TABLE cognifold.watch IN SHARE ROW EXCLUSIVE MODE;
    found_id := cognifold.known_watch(name, 'unwatch');
    waiting := cognifold.drop_watch(found_id);
    PERFORM cognifold.drop_orphans();
    RETURN waiting;
END
$$;
COMMENT ON FUNCTION cognifold.unwatch(text) IS
    'Ends the watch of that name (or of the table of that name): its triggers and functions go. Returns how many captured rows still wait; they become events as before. For whoever may watch the table, and who made the watch. Raises CF042 for an unknown watch. Waits for statements that are writing to the table.';
