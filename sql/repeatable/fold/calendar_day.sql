-- calendar_day: a date from its parts, NULL where no such day exists; without a year, the next such day from a date on.
CREATE OR REPLACE FUNCTION cognifold.calendar_day(year integer, month integer, day integer, reference date) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT min(d.day)
    FROM (
        SELECT pg_catalog.make_date(y.year, month, 1) + (calendar_day.day - 1) AS day
        FROM (VALUES (calendar_day.year),
                     (CASE WHEN calendar_day.year IS NULL THEN EXTRACT(year FROM reference)::integer END),
                     (CASE WHEN calendar_day.year IS NULL THEN EXTRACT(year FROM reference)::integer + 1 END),
                     -- 29 February may be up to eight years off
                     (CASE WHEN calendar_day.year IS NULL AND month = 2 AND calendar_day.day = 29
                           THEN EXTRACT(year FROM reference)::integer + (4 - EXTRACT(year FROM reference)::integer % 4) % 4 END)
             ) AS y (year)
        WHERE y.year BETWEEN 1 AND 9999 AND month BETWEEN 1 AND 12 AND calendar_day.day BETWEEN 1 AND 31
    ) AS d
    WHERE EXTRACT(month FROM d.day) = month AND (calendar_day.year IS NOT NULL OR d.day >= reference)
$$;
COMMENT ON FUNCTION cognifold.calendar_day(integer, integer, integer, date) IS
    'The date of these parts, or NULL if there is no such day; with year NULL the first such day on or after reference. Internal.';
