-- drop_watch: ends a watch: its triggers go at once, its row when nothing that it captured waits any more.
CREATE OR REPLACE FUNCTION cognifold.drop_watch(watch_id integer) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET client_min_messages = warning
AS $$
#variable_conflict use_variable
DECLARE
    ended   cognifold.watch;
    made    regprocedure;
    waiting bigint;
BEGIN
    SELECT w.* INTO ended FROM cognifold.watch AS w WHERE w.watch_id = drop_watch.watch_id;
    FOR made IN
        SELECT p.oid::regprocedure FROM pg_proc AS p
        WHERE p.pronamespace = 'cognifold_watch'::regnamespace AND p.proname ~ format('^w%s_', watch_id)
    LOOP
        EXECUTE format('DROP FUNCTION %s CASCADE', made);   -- the trigger with it; the schema's owner may
    END LOOP;
    SELECT c.waiting INTO waiting FROM cognifold.waiting_captures() AS c WHERE c.watch_id = drop_watch.watch_id;
    IF waiting IS NULL THEN
        DELETE FROM cognifold_watch.fault AS f WHERE f.watch_id = drop_watch.watch_id;
        -- Counts are of tenants, whose rows the owner sees one tenant at a time: the foreign key takes them all.
        DELETE FROM cognifold.watch AS w WHERE w.watch_id = drop_watch.watch_id;
    ELSIF ended.ended_at IS NULL THEN
        UPDATE cognifold.watch AS w SET ended_at = clock_timestamp() WHERE w.watch_id = drop_watch.watch_id;
    END IF;
    IF EXISTS (SELECT FROM pg_roles AS r WHERE r.rolname = ended.owner)
       AND NOT EXISTS (SELECT FROM cognifold.watch AS w WHERE w.owner = ended.owner AND w.ended_at IS NULL) THEN
        EXECUTE format('REVOKE ALL ON cognifold_watch.inbox, cognifold_watch.fault FROM %I', ended.owner);
        EXECUTE format('REVOKE ALL ON FUNCTION cognifold_watch.has_room(integer), cognifold_watch.strange_tenants(text[]) FROM %I', ended.owner);
        EXECUTE format('REVOKE ALL ON SCHEMA cognifold_watch FROM %I', ended.owner);
    END IF;
    RETURN coalesce(waiting, 0);
END
$$;
COMMENT ON FUNCTION cognifold.drop_watch(integer) IS
    'Takes a watch''s triggers and functions away, and its owner''s rights with the last of them; how many captures still wait. Internal: for unwatch.';
