-- installer_number makes a version comparable: its leading numbers, without zeros at the end.
CREATE OR REPLACE FUNCTION cognifold.installer_number(version text) RETURNS integer[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path = pg_catalog, pg_temp
AS $$
    SELECT coalesce(string_to_array(regexp_replace(substring(version FROM '^\d+(?:\.\d+)*'), '(\.0+)+$', ''), '.')::integer[], '{}')
$$;

COMMENT ON FUNCTION cognifold.installer_number(text) IS
    'A version''s leading numbers, to compare two by: 0.10.0 is {0,10} and comes after 0.9.2. A member of the extension.';
