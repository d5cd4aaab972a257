-- record_watch: completes a watch that begin_watch began, once its triggers stand.
CREATE OR REPLACE FUNCTION cognifold.record_watch(
    watch_id integer, relation regclass, source text, operations text[], given jsonb, places jsonb, templates jsonb,
    key_places integer[], needed text[]
) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    owner_now text;
BEGIN
    SELECT r.rolname INTO STRICT owner_now
    FROM pg_class AS c JOIN pg_roles AS r ON r.oid = c.relowner
    WHERE c.oid = relation AND pg_has_role(cognifold.effective_role(), c.relowner, 'SET');
    UPDATE cognifold.watch AS w
    SET source = record_watch.source, operations = record_watch.operations, given = record_watch.given, places = record_watch.places,
        templates = record_watch.templates, key_places = record_watch.key_places,
        columns = (SELECT coalesce(jsonb_object_agg(a.attname, format_type(a.atttypid, a.atttypmod)), '{}')
                   FROM pg_attribute AS a WHERE a.attrelid = relation AND a.attname = ANY (needed))
    WHERE w.watch_id = record_watch.watch_id AND w.owner = owner_now AND w.operations = '{}';
    IF NOT FOUND OR operations = '{}' THEN
        RAISE EXCEPTION 'watch: no watch % of a table of "%" is being made', watch_id, owner_now
            USING ERRCODE = 'CF042', HINT = 'Call cognifold.watch, which takes the steps in their order.';
    END IF;
    EXECUTE format('REVOKE CREATE ON SCHEMA cognifold_watch FROM %I', owner_now);
END
$$;
COMMENT ON FUNCTION cognifold.record_watch(integer, regclass, text, text[], jsonb, jsonb, jsonb, integer[], text[]) IS
    'The row of a watch; the right to create in cognifold_watch ends. Internal: for watch.';
