-- recurring_times: when something that comes again comes, from a moment on. Counts in local time, so that nine o'clock stays nine o'clock.
CREATE OR REPLACE FUNCTION cognifold.recurring_times(rule text, starts_at timestamptz, zone text, since timestamptz, most integer)
RETURNS TABLE (moment timestamptz)
LANGUAGE sql STABLE ROWS 1
SET search_path FROM CURRENT
AS $$
    WITH part AS MATERIALIZED (
        SELECT substring(rule FROM 'FREQ=([A-Z]+)') AS freq, coalesce(substring(rule FROM 'INTERVAL=(\d+)')::integer, 1) AS every,
               substring(rule FROM 'COUNT=(\d+)')::integer AS number,
               CASE WHEN rule ~ 'UNTIL=\d{8}T' THEN substring(rule FROM 'UNTIL=(\w+)')::timestamptz AT TIME ZONE zone
                    WHEN rule ~ 'UNTIL=' THEN substring(rule FROM 'UNTIL=(\d{8})')::date + time '23:59:59.999999' END AS until,
               starts_at AT TIME ZONE zone AS first, greatest(since, starts_at) AT TIME ZONE zone AS now,
               (SELECT array_agg(DISTINCT array_position(ARRAY['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'], d.name) - 1)
                FROM string_to_table(substring(rule FROM 'BYDAY=([A-Z,]+)'), ',') AS d (name)) AS days
    ), span AS MATERIALIZED (   -- which periods can hold what is asked for: one cycle of what they skip is within sixteen
        SELECT p.*, CASE WHEN p.number IS NOT NULL THEN 0 ELSE greatest(0, CASE p.freq
                        WHEN 'DAILY' THEN p.now::date - p.first::date
                        WHEN 'WEEKLY' THEN (p.now::date - p.first::date) / 7
                        ELSE 12 * (extract(year FROM p.now) - extract(year FROM p.first)) + extract(month FROM p.now) - extract(month FROM p.first)
                        END::integer / CASE p.freq WHEN 'YEARLY' THEN 12 * p.every ELSE p.every END - 1) END AS begin,
               -- No period is beyond what a timestamp can hold.
               greatest(0, (date '290000-01-01' - p.first::date)
                           / (p.every * CASE p.freq WHEN 'DAILY' THEN 1 WHEN 'WEEKLY' THEN 7 WHEN 'MONTHLY' THEN 31 ELSE 366 END)) AS last
        FROM part AS p
    ), counted AS (
        SELECT t.moment, p.until, p.number, row_number() OVER (ORDER BY t.moment) AS place
        FROM span AS p
        CROSS JOIN LATERAL generate_series(p.begin, least(p.last, CASE WHEN p.number IS NULL THEN p.begin + 16 + 16 * most ELSE 16 + 8 * p.number END)) AS k (period)
        CROSS JOIN LATERAL (
            SELECT p.first + make_interval(days => k.period * p.every) AS moment
            WHERE p.freq = 'DAILY' AND (p.days IS NULL OR extract(isodow FROM p.first + make_interval(days => k.period * p.every))::integer - 1 = ANY (p.days))
            UNION ALL   -- weeks begin on Monday
            SELECT date_trunc('week', p.first) + make_interval(days => 7 * k.period * p.every + d.day) + (p.first - date_trunc('day', p.first))
            FROM unnest(coalesce(p.days, ARRAY[extract(isodow FROM p.first)::integer - 1])) AS d (day)
            WHERE p.freq = 'WEEKLY'
            UNION ALL   -- a month without that day is passed over
            SELECT m.moment FROM (SELECT p.first + make_interval(months => k.period * p.every * CASE p.freq WHEN 'YEARLY' THEN 12 ELSE 1 END) AS moment) AS m
            WHERE p.freq IN ('MONTHLY', 'YEARLY') AND extract(day FROM m.moment) = extract(day FROM p.first)
        ) AS t
        WHERE t.moment >= p.first
    )
    SELECT c.moment AT TIME ZONE zone
    FROM counted AS c
    WHERE c.place <= coalesce(c.number, c.place) AND (c.until IS NULL OR c.moment <= c.until)
      AND c.moment AT TIME ZONE zone >= since
    ORDER BY c.moment
    LIMIT most
$$;
COMMENT ON FUNCTION cognifold.recurring_times(text, timestamptz, text, timestamptz, integer) IS
    'The first most occurrences from since on of a rule that recurrence_fault finds nothing wrong with (see occurrences). Reads no table. Internal.';
