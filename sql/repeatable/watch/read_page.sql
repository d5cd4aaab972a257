-- read_page: calls the function that a watch reads old rows with. It belongs to the table's owner, who can make it run with its
-- caller's rights (ALTER FUNCTION ... SECURITY INVOKER): so its caller is one who has none.
GRANT USAGE, CREATE ON SCHEMA cognifold_watch TO cognifold_nobody;
SET LOCAL ROLE cognifold_nobody;
CREATE OR REPLACE FUNCTION cognifold_watch.read_page(watch_id integer, place regclass, after text[], size integer, skip boolean, OUT seen bigint, OUT last text[])
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
BEGIN
    EXECUTE pg_catalog.format('SELECT b.seen, b.last FROM cognifold_watch.w%s_backfill($1, $2, $3, $4) AS b', watch_id)
    INTO seen, last USING place, after, size, skip;
END
$$;
COMMENT ON FUNCTION cognifold_watch.read_page(integer, regclass, text[], integer, boolean) IS
    'Captures a page of rows by the watch''s generated function, with no right but that one''s. Internal: only cognifold_owner may call it, for backfill.';
REVOKE ALL ON FUNCTION cognifold_watch.read_page(integer, regclass, text[], integer, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION cognifold_watch.read_page(integer, regclass, text[], integer, boolean) TO cognifold_owner;
SET LOCAL ROLE cognifold_owner;
REVOKE CREATE ON SCHEMA cognifold_watch FROM cognifold_nobody;
