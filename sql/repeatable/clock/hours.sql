-- hours: a moment as hours since 1970-01-01 UTC, clamped so that no date, infinity included, breaks arithmetic.
CREATE OR REPLACE FUNCTION cognifold.hours(moment timestamptz) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- Made for the planner to inline, which it does only where everything inside is immutable: hence the detour over UTC.
RETURN CASE WHEN moment IS NOT NULL
            THEN GREATEST(-1e8::double precision, LEAST(1e8::double precision, date_part('epoch', moment AT TIME ZONE 'UTC') / 3600)) END;
COMMENT ON FUNCTION cognifold.hours(timestamptz) IS
    'Hours since 1970-01-01 00:00 UTC, clamped to +-1e8 (about eleven thousand years), so that infinite dates stay finite.';
