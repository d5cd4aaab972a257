-- calendar_choice: which year's day is meant where none is named: the next, the last, or the nearest.
CREATE OR REPLACE FUNCTION cognifold.calendar_choice(month integer, day integer, reference date, ahead boolean, back boolean) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    SELECT CASE WHEN ahead THEN d.next
                WHEN back THEN d.previous
                WHEN d.next - reference <= reference - d.previous OR d.previous IS NULL THEN d.next
                ELSE coalesce(d.previous, d.next) END
    FROM (
        SELECT cognifold.calendar_day(NULL, calendar_choice.month, calendar_choice.day, reference) AS next,
               (SELECT max(p.day)
                FROM generate_series(greatest(EXTRACT(year FROM reference)::integer - 8, 1), EXTRACT(year FROM reference)::integer) AS y (year)
                CROSS JOIN LATERAL (SELECT cognifold.calendar_day(y.year, calendar_choice.month, calendar_choice.day, reference)) AS p (day)
                WHERE p.day <= reference) AS previous
    ) AS d
$$;
COMMENT ON FUNCTION cognifold.calendar_choice(integer, integer, date, boolean, boolean) IS
    'The day of this month and day on or after reference (ahead), on or before it (back), or the nearer of the two, the later one when they are as near; NULL if there is no such day. Internal.';
