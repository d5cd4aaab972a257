-- month_number, weekday_number, count_word: what the calendar's words mean as numbers.
CREATE OR REPLACE FUNCTION cognifold.month_number(name text) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT pg_catalog.array_position(ARRAY['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
                                     pg_catalog.lower(pg_catalog.left(name, 3)))
$$;
COMMENT ON FUNCTION cognifold.month_number(text) IS '1 to 12 for an English month name or its abbreviation; NULL for another word. Internal.';

CREATE OR REPLACE FUNCTION cognifold.weekday_number(name text) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT pg_catalog.array_position(ARRAY['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], pg_catalog.lower(pg_catalog.left(name, 3)))
$$;
COMMENT ON FUNCTION cognifold.weekday_number(text) IS '1 (Monday) to 7 for an English weekday name; NULL for another word. Internal.';

CREATE OR REPLACE FUNCTION cognifold.count_word(word text) RETURNS integer
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT CASE WHEN word ~ '^\d+$' THEN word::integer
                WHEN pg_catalog.lower(word) IN ('a', 'an') THEN 1
                ELSE pg_catalog.array_position(ARRAY['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
                                               pg_catalog.lower(word)) END
$$;
COMMENT ON FUNCTION cognifold.count_word(text) IS 'The number a digit string or small English number word means; NULL for another word. Internal.';
