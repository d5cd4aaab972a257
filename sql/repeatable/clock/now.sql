-- now: the memory's clock. The setting cognifold.now where the role may move the clock, else the transaction's time.
CREATE OR REPLACE FUNCTION cognifold.now() RETURNS timestamptz
LANGUAGE plpgsql STABLE PARALLEL RESTRICTED
SET search_path FROM CURRENT
AS $$
DECLARE
    moved text := NULLIF(current_setting('cognifold.now', true), '');
BEGIN
    IF moved IS NULL OR NOT pg_has_role(cognifold.effective_role(), 'cognifold_clock', 'MEMBER') THEN
        RETURN pg_catalog.now();
    END IF;
    IF moved !~* '([0-9]:[0-9]{2}.*([+-][0-9]{2}(:?[0-9]{2})?|Z)|infinity)$' THEN
        RAISE EXCEPTION 'cognifold.now = ''%'' has no time zone', moved
            USING ERRCODE = 'CF010', HINT = 'Write an ISO 8601 time with its offset, such as 2026-06-01T09:00:00+02:00.';
    END IF;
    -- Asked, and not caught: before PostgreSQL 17 no exception can be handled in a query that runs in parallel.
    IF NOT pg_input_is_valid(moved, 'timestamptz') THEN
        RAISE EXCEPTION 'cognifold.now = ''%'' is not a time', moved
            USING ERRCODE = 'CF010', HINT = 'Write an ISO 8601 time with its offset, such as 2026-06-01T09:00:00+02:00.';
    END IF;
    RETURN moved::timestamptz;
END
$$;
COMMENT ON FUNCTION cognifold.now() IS
    'The memory''s clock: the setting cognifold.now (ISO 8601 with offset) for members of cognifold_clock, else the transaction''s time.';
