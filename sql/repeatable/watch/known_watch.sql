-- known_watch: the watch of a name, for who may say what becomes of it.
CREATE OR REPLACE FUNCTION cognifold.known_watch(name text, verb text) RETURNS integer
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    found_one record;
BEGIN
    SELECT w.watch_id, cognifold.may_see_watch(w.owner, w.created_by) AS may INTO found_one
    FROM cognifold.watch AS w LEFT JOIN LATERAL cognifold.watch_place(w.watch_id) AS p ON true
    WHERE w.name = known_watch.name OR p.called = known_watch.name
    -- Another may have given a watch of his the name of one's table.
    ORDER BY cognifold.may_see_watch(w.owner, w.created_by) DESC, w.name = known_watch.name DESC LIMIT 1;
    IF found_one.may IS NOT TRUE THEN
        RAISE EXCEPTION '%: there is no watch % of yours', verb, coalesce(quote_literal(name), 'NULL')
            USING ERRCODE = 'CF042', HINT = 'SELECT name, relation FROM cognifold.watched lists them; the name of a table is schema.table.';
    END IF;
    RETURN found_one.watch_id;
END
$$;
COMMENT ON FUNCTION cognifold.known_watch(text, text) IS
    'The number of the watch, by its own name or its table''s; CF042 where there is none that the session''s role may see. Internal.';
