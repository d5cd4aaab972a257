-- due_dates: the deadlines of an event, also those that come again ("due every Monday", {"recurrence": "FREQ=WEEKLY;BYDAY=MO"}).
CREATE OR REPLACE FUNCTION cognifold.due_dates(text text, payload jsonb, said_at timestamptz, zone text)
RETURNS TABLE (moment timestamptz, "precision" text, phrase text, rule text)
LANGUAGE plpgsql STABLE ROWS 1
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH once AS MATERIALIZED (
        SELECT d.moment, d."precision", d.phrase FROM cognifold.deadlines(due_dates.text, payload, said_at, zone) AS d
    ), stated AS (   -- what an application says in so many words: from its deadline on, else from the day on
        SELECT p.value AS rule
        FROM jsonb_each_text(CASE WHEN jsonb_typeof(payload) = 'object' AND payload ?| '{recurrence,rrule}' THEN payload ELSE '{}' END) AS p (name, value)
        WHERE p.name IN ('recurrence', 'rrule') AND cognifold.recurrence_fault(p.value) IS NULL
        ORDER BY p.name LIMIT 1
    ), sentence AS (   -- one look for "every" and "each" saves reading most texts
        SELECT s.sentence FROM regexp_split_to_table(lower(left(due_dates.text, 20000)), '(?<=[.!?])\s+|\n+') AS s (sentence)
        WHERE due_dates.text ~* '\m(every|each)\M' AND isfinite(said_at)
    ), spoken AS (     -- in one that says something is due
        SELECT CASE WHEN m.words[2] = 'weekday' THEN 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'
                    WHEN m.words[2] = 'day' THEN 'FREQ=DAILY' || CASE WHEN m.words[1] <> '' THEN ';INTERVAL=2' ELSE '' END
                    ELSE 'FREQ=WEEKLY' || CASE WHEN m.words[1] <> '' THEN ';INTERVAL=2' ELSE '' END || ';BYDAY=' || upper(left(m.words[2], 2)) END AS rule,
               NULL::integer AS day, m.sentence
        FROM (
            SELECT s.sentence, regexp_match(s.sentence, '\m(?:every|each)\s+(other\s+|second\s+)?((?:mon|tues|wednes|thurs|fri|satur|sun)day|weekday|day)\M') AS words
            FROM sentence AS s
            WHERE s.sentence ~ '\m(due|deadlines?|no later than|at the latest|(by|before) (every|each))\M'
        ) AS m
        WHERE m.words IS NOT NULL
        UNION ALL
        SELECT 'FREQ=MONTHLY', m.words[1]::integer, m.sentence
        FROM (
            SELECT s.sentence, regexp_match(s.sentence, '\m(?:due|by|before|no later than)\s+(?:on\s+)?the\s+(\d{1,2})(?:st|nd|rd|th)\s+of\s+(?:every|each)\s+month\M') AS words
            FROM sentence AS s
        ) AS m
        WHERE m.words[1]::integer BETWEEN 1 AND 31
    ), begun AS (
        SELECT date_trunc('day', said_at AT TIME ZONE zone) AS day
    ), again AS (
        SELECT o.moment, o."precision", o.phrase, s.rule FROM stated AS s CROSS JOIN once AS o
        WHERE o.phrase ~ '^\d{4}-'   -- as the payload has it
        UNION ALL
        SELECT r.moment, 'day', lower(s.rule), s.rule
        FROM stated AS s CROSS JOIN begun AS b
        CROSS JOIN LATERAL cognifold.recurring_times(s.rule, b.day AT TIME ZONE zone, zone, b.day AT TIME ZONE zone, 1) AS r
        WHERE NOT EXISTS (SELECT FROM once AS o WHERE o.phrase ~ '^\d{4}-')
        UNION ALL
        SELECT r.moment, 'day', left(s.sentence, 200), s.rule
        FROM spoken AS s CROSS JOIN begun AS b
        CROSS JOIN LATERAL (   -- of a day of the month, the first that has it: January does
            SELECT CASE WHEN s.day IS NULL THEN b.day
                        WHEN s.day >= extract(day FROM b.day) AND s.day <= extract(day FROM date_trunc('month', b.day) + interval '1 month - 1 day')
                        THEN date_trunc('month', b.day) + make_interval(days => s.day - 1)
                        ELSE (SELECT min(m.day) FROM (SELECT date_trunc('month', b.day) + make_interval(months => n.n) AS month FROM generate_series(1, 12) AS n (n)) AS f
                              CROSS JOIN LATERAL (SELECT f.month + make_interval(days => s.day - 1) AS day) AS m
                              WHERE date_trunc('month', m.day) = f.month) END AS day
        ) AS f
        CROSS JOIN LATERAL cognifold.recurring_times(s.rule, f.day AT TIME ZONE zone, zone, f.day AT TIME ZONE zone, 1) AS r
    )
    SELECT DISTINCT ON (d.moment, d."precision") d.moment, d."precision", d.phrase, d.rule
    FROM (SELECT o.moment, o."precision", o.phrase, NULL AS rule FROM once AS o UNION ALL SELECT a.* FROM again AS a) AS d
    WHERE d.moment >= '0001-01-01T00:00:00Z' AND d.moment < '9999-12-31T00:00:00Z'
    ORDER BY d.moment, d."precision", d.rule IS NULL, d.rule, d.phrase;
END
$$;
COMMENT ON FUNCTION cognifold.due_dates(text, jsonb, timestamptz, text) IS
    'deadlines, and with a rule (see occurrences) those that recur, from the first on: of a payload''s recurrence or rrule, beginning with its deadline or that day; and of a sentence that says something is due every (other) Monday, day or weekday, or by the 5th of every month. Internal: the SQL planner calls it.';
