-- version_numbers: a version as numbers that compare; what stands behind them (dev, rc) counts for nothing.
CREATE OR REPLACE FUNCTION cognifold.version_numbers(version text) RETURNS integer[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
RETURN string_to_array((regexp_match(version, '^[0-9]{1,6}(?:[.][0-9]{1,6}){0,3}'))[1], '.')::integer[];
COMMENT ON FUNCTION cognifold.version_numbers(text) IS 'The numbers a version begins with, to compare by: 0.10.0rc1 is {0,10,0}. NULL where it begins with none. Internal.';
