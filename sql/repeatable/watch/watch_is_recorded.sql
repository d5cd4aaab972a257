-- watch_is_recorded: at COMMIT, that a watch that was begun was also made, and that its owner, who could create in cognifold_watch
-- meanwhile, has created nothing there but what a watch is made of.
CREATE OR REPLACE FUNCTION cognifold.watch_is_recorded() RETURNS trigger
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
DECLARE
    wrong text;
BEGIN
    SELECT format('%s was created beside it', pg_describe_object(d.classid, d.objid, 0)) INTO wrong
    FROM pg_depend AS d
    LEFT JOIN pg_proc AS p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
    JOIN pg_shdepend AS o ON o.dbid = (SELECT b.oid FROM pg_database AS b WHERE b.datname = current_database())
                         AND o.classid = d.classid AND o.objid = d.objid AND o.deptype = 'o'
    JOIN pg_roles AS r ON r.oid = o.refobjid AND NOT r.rolsuper AND r.rolname NOT IN ('cognifold_owner', 'cognifold_dispatch', 'cognifold_nobody')
    WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = 'cognifold_watch'::regnamespace
      AND EXISTS (SELECT FROM pg_roles AS n WHERE n.rolname = NEW.owner AND pg_has_role(r.oid, n.oid, 'USAGE'))
      AND NOT EXISTS (SELECT FROM cognifold.watch AS w
                      WHERE p.proname IN (format('w%s_insert', w.watch_id), format('w%s_update', w.watch_id), format('w%s_delete', w.watch_id),
                                          format('w%s_backfill', w.watch_id)) AND w.owner = r.rolname)
    LIMIT 1;
    IF EXISTS (SELECT FROM cognifold.watch AS w WHERE w.watch_id = NEW.watch_id AND w.operations = '{}') THEN
        wrong := 'it was begun, and not made';
    END IF;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'watch: % cannot be committed: %', quote_literal(NEW.name), wrong
            USING ERRCODE = 'CF041', HINT = 'Call cognifold.watch, which takes the steps in their order, and create nothing in cognifold_watch.';
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION cognifold.watch_is_recorded() IS
    'Trigger at COMMIT: refuses (CF041) a watch that begin_watch began and record_watch has not completed, and objects that its owner made in cognifold_watch beside it. Internal.';

DROP TRIGGER IF EXISTS watch_is_recorded ON cognifold.watch;
CREATE CONSTRAINT TRIGGER watch_is_recorded AFTER INSERT ON cognifold.watch DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION cognifold.watch_is_recorded();
