-- plan_time: a moment as the operations of a plan write it, the same in any time zone.
CREATE OR REPLACE FUNCTION cognifold.plan_time(moment timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;
COMMENT ON FUNCTION cognifold.plan_time(timestamptz) IS 'ISO 8601 in UTC, to the microsecond: 2026-05-04T07:30:00.000000Z. Internal.';
