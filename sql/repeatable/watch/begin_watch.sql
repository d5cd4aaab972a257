-- begin_watch: makes sure that a relation may be watched by who asks, and lets its owner make triggers and write captures.
CREATE OR REPLACE FUNCTION cognifold.begin_watch(relation regclass, INOUT name text, only_tenant text, OUT watch_id integer, OUT owner text, OUT called text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    asked record;
    known record;
    wrong text;
BEGIN
    SELECT c.relkind, c.relpersistence, c.relispartition, s.nspname, r.rolname, format('%I.%I', s.nspname, c.relname) AS called INTO asked
    FROM pg_class AS c JOIN pg_namespace AS s ON s.oid = c.relnamespace JOIN pg_roles AS r ON r.oid = c.relowner
    WHERE c.oid = begin_watch.relation;
    wrong := CASE
        WHEN asked IS NULL THEN 'there is no such relation'
        WHEN asked.nspname IN ('pg_catalog', 'information_schema') OR asked.nspname LIKE 'pg\_toast%' THEN 'it is the system''s'
        WHEN asked.nspname IN ('cognifold', 'cognifold_watch') THEN 'it is the memory''s own'
        WHEN asked.rolname = 'cognifold_owner' THEN 'it belongs to cognifold_owner, whose rights no trigger may run with'
        WHEN asked.relpersistence = 't' THEN 'it is a temporary table, which nobody sees after its session'
        WHEN asked.relkind NOT IN ('r', 'p') THEN format('it is %s, not a table', CASE asked.relkind
            WHEN 'v' THEN 'a view' WHEN 'm' THEN 'a materialized view' WHEN 'f' THEN 'a foreign table' WHEN 'S' THEN 'a sequence'
            WHEN 'i' THEN 'an index' ELSE 'no ordinary relation' END)
        WHEN asked.relispartition THEN format('it is a partition; watch the whole, %s',
            (SELECT i.inhparent::regclass FROM pg_inherits AS i WHERE i.inhrelid = begin_watch.relation))
    END;
    IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'watch: % cannot be watched: %', coalesce(asked.called, begin_watch.relation::text, 'NULL'), wrong
            USING ERRCODE = 'CF041', HINT = 'Tables, partitioned or not, can be watched. What a view shows comes from tables: watch those.';
    ELSIF NOT pg_has_role(cognifold.effective_role(), asked.rolname, 'SET') THEN
        RAISE EXCEPTION 'watch: role "%" may not watch %, which belongs to "%"', cognifold.effective_role(), asked.called, asked.rolname
            USING ERRCODE = 'CF041', HINT = format('Only the owner of a table, or a role that may become it, may: GRANT %I TO %I.', asked.rolname, cognifold.effective_role());
    END IF;
    IF begin_watch.only_tenant IS NOT NULL THEN   -- the same for all rows: asked once, here
        PERFORM cognifold.leave_tenant(cognifold.enter_tenant(begin_watch.only_tenant));
    END IF;
    owner := asked.rolname;
    called := asked.called;
    name := coalesce(NULLIF(btrim(name), ''), asked.called);

    -- Watches come and go one after the other; nothing that captures or folds waits for this.
    LOCK TABLE cognifold.watch IN SHARE ROW EXCLUSIVE MODE;
    PERFORM cognifold.drop_orphans();
    SELECT w.relation, w.ended_at INTO known FROM cognifold.watch AS w WHERE w.name = begin_watch.name;
    IF FOUND THEN
        RAISE EXCEPTION 'watch: a watch % on % %', quote_literal(name), known.relation,
            CASE WHEN known.ended_at IS NULL THEN 'is there already' ELSE 'has ended, and rows it captured wait to become events' END
            USING ERRCODE = 'CF043', HINT = CASE WHEN known.ended_at IS NULL
                THEN 'SELECT cognifold.unwatch(name) first, or give another name => ... for a second watch of the table.'
                ELSE 'Fold them first (or let a worker), or give another name => ....' END;
    END IF;
    watch_id := nextval(pg_get_serial_sequence('cognifold.watch', 'watch_id'));

    -- Whoever begins and does not end it (record_watch) cannot commit: the right to create is not for keeps.
    SET CONSTRAINTS cognifold.watch_is_recorded DEFERRED;
    INSERT INTO cognifold.watch (
        watch_id, name, relation, owner, created_by, created_as, created_at, only_tenant, operations, source, given, places, templates, key_places, columns)
    OVERRIDING SYSTEM VALUE
    VALUES (watch_id, name, called, owner, cognifold.effective_role(), session_user, clock_timestamp(), begin_watch.only_tenant, '{}', called, '{}', '[]', '{}', '{}', '{}');
    EXECUTE format('GRANT USAGE, CREATE ON SCHEMA cognifold_watch TO %I', owner);
    EXECUTE format('GRANT INSERT (tenant_id, watch_id, operation, held, row_values, old_values) ON cognifold_watch.inbox TO %I', owner);
    EXECUTE format('GRANT INSERT (watch_id, operation, state, message, row_key, lost) ON cognifold_watch.fault TO %I', owner);
    EXECUTE format('GRANT EXECUTE ON FUNCTION cognifold_watch.has_room(integer), cognifold_watch.strange_tenants(text[]) TO %I', owner);
END
$$;
COMMENT ON FUNCTION cognifold.begin_watch(regclass, text, text) IS
    'Checks who watches what (CF041, CF043), gives the watch its number and name, and the table''s owner what its trigger needs; record_watch takes the right to create away again. Internal: for watch.';
