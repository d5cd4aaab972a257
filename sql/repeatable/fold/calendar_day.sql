-- calendar_day: a date from its parts, NULL where no such day exists; without a year, the next such day from a date on.
CREATE OR REPLACE FUNCTION cognifold.calendar_day(year integer, month integer, day integer, reference date) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT pg_catalog.min(d.day)
    FROM pg_catalog.generate_series(
        coalesce(calendar_day.year, EXTRACT(year FROM reference)::integer),
        -- 29 February may be eight years off
        least(coalesce(calendar_day.year, EXTRACT(year FROM reference)::integer + 8), 9999)
    ) AS y (year)
    CROSS JOIN LATERAL (
        SELECT CASE WHEN y.year >= 1 AND month BETWEEN 1 AND 12 AND calendar_day.day BETWEEN 1 AND 31
                    THEN pg_catalog.make_date(y.year, month, 1) + (calendar_day.day - 1) END AS day
    ) AS d
    WHERE EXTRACT(month FROM d.day) = month AND (calendar_day.year IS NOT NULL OR d.day >= reference)
$$;
COMMENT ON FUNCTION cognifold.calendar_day(integer, integer, integer, date) IS
    'The date of these parts, or NULL if there is no such day; with year NULL the first such day on or after reference. Internal.';
