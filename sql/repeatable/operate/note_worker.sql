-- note_worker: a worker's sign of life.
CREATE OR REPLACE FUNCTION cognifold.note_worker(
    name text, version text, does text[], folded bigint DEFAULT 0, jobs bigint DEFAULT 0, failures bigint DEFAULT 0, stopped boolean DEFAULT false
) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    clock timestamptz := clock_timestamp();
BEGIN
    IF name IS NULL OR octet_length(name) NOT BETWEEN 1 AND 200 OR does IS NULL OR version IS NULL THEN
        RAISE EXCEPTION 'note_worker: a name of 1 to 200 bytes, a version and what it does are needed, not %', coalesce(quote_literal(left(name, 40)), 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Give the worker a short name of its own.';
    END IF;
    DELETE FROM cognifold.worker_process AS w WHERE w.seen_at < clock - interval '1 day' AND w.name <> note_worker.name;
    INSERT INTO cognifold.worker_process AS w (name, version, does, started_at, seen_at, stopped_at, folded, jobs, failures)
    VALUES (name, version, does, clock, clock, CASE WHEN stopped THEN clock END, folded, jobs, failures)
    ON CONFLICT ON CONSTRAINT worker_process_pkey DO UPDATE
    SET version = excluded.version, does = excluded.does, seen_at = excluded.seen_at, stopped_at = excluded.stopped_at,
        folded = excluded.folded, jobs = excluded.jobs, failures = excluded.failures;
END
$$;
COMMENT ON FUNCTION cognifold.note_worker(text, text, text[], bigint, bigint, bigint, boolean) IS
    'Enters a worker into worker_process, or says that it is still there and how much it has done so far; stopped: it ends now. For cognifold_worker.';
