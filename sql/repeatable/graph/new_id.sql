-- new_id: a time-ordered uuid (version 7); the server's own where it has one (PostgreSQL 18), else made here.
DO $do$
BEGIN
    IF current_setting('server_version_num')::int >= 180000 THEN
        CREATE OR REPLACE FUNCTION cognifold.new_id() RETURNS uuid
        LANGUAGE sql VOLATILE PARALLEL SAFE
        AS 'SELECT pg_catalog.uuidv7()';
    ELSE
        CREATE OR REPLACE FUNCTION cognifold.new_id() RETURNS uuid
        LANGUAGE sql VOLATILE PARALLEL SAFE
        AS $$
            -- 48 bits of milliseconds, then 12 bits of the fraction of the millisecond, so that one session's ids ascend.
            SELECT pg_catalog.encode(
                pg_catalog.int8send((t.microseconds / 1000) << 16 | 28672 | ((t.microseconds % 1000) * 4096 / 1000))
                || pg_catalog.set_byte(
                       pg_catalog.substr(pg_catalog.uuid_send(pg_catalog.gen_random_uuid()), 9, 8), 0,
                       128 | (pg_catalog.get_byte(pg_catalog.uuid_send(pg_catalog.gen_random_uuid()), 9) & 63)),
                'hex')::uuid
            FROM (SELECT (EXTRACT(epoch FROM pg_catalog.clock_timestamp()) * 1000000)::bigint AS microseconds) AS t
        $$;
    END IF;
END
$do$;
COMMENT ON FUNCTION cognifold.new_id() IS 'A uuid of version 7 (RFC 9562): ids ascend with time, so keys are inserted in order.';
