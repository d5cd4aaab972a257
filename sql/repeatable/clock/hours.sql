-- hours: a moment as hours since 1970-01-01 UTC, clamped so that no date, infinity included, breaks arithmetic.
CREATE OR REPLACE FUNCTION cognifold.hours(moment timestamptz) RETURNS double precision
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN GREATEST(-1e8, LEAST(1e8, EXTRACT(epoch FROM moment)::double precision / 3600));
COMMENT ON FUNCTION cognifold.hours(timestamptz) IS
    'Hours since 1970-01-01 00:00 UTC, clamped to +-1e8 (about eleven thousand years), so that infinite dates stay finite.';
