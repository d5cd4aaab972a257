-- fold_all: folds until nothing waits, committing event by event, so that a crash loses and repeats nothing.
CREATE OR REPLACE PROCEDURE cognifold.fold_all(max_events integer DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant())
LANGUAGE plpgsql
AS $$
-- No SET clause here: PostgreSQL lets a procedure commit only without one. Every name is qualified instead, and no operator used.
BEGIN
    FOR turn IN 1 .. coalesce(max_events, 2147483647) LOOP
        PERFORM FROM cognifold.fold(1, tenant);
        EXIT WHEN NOT FOUND;
        COMMIT;
    END LOOP;
END
$$;
COMMENT ON PROCEDURE cognifold.fold_all(integer, text) IS
    'Folds all waiting events (or max_events), committing after each. CALL it outside a transaction block; several sessions may run it at once.';
