-- deadlines: the last moments a text or payload speaks of ("by Friday", "due 12 June", {"deadline": ...}), resolved
-- against when it was said, in the tenant's time zone.
CREATE OR REPLACE FUNCTION cognifold.deadlines(text text, payload jsonb, said_at timestamptz, zone text)
RETURNS TABLE (moment timestamptz, "precision" text, phrase text)
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    WITH said AS MATERIALIZED (   -- or the planner works out the parts of an infinite day beforehand, and fails
        SELECT (said_at AT TIME ZONE zone)::date AS day WHERE isfinite(said_at)
    ), cue (pattern) AS (
        VALUES ('\m(?:by|due(?:\s+(?:on|by|in|to))?|until|till|before|no\s+later\s+than|not\s+later\s+than|deadline(?:\s+(?:is|of|on|for))?:?|expires?(?:\s+(?:on|in))?|closes?(?:\s+(?:on|in))?|at\s+the\s+latest(?:\s+on)?)\s+(?:the\s+)?')
    ), form (name, pattern) AS (
        VALUES
            ('iso',     '(\d{4})-(\d{2})-(\d{2})(?!\d)'),
            ('day month', '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+(?:the\s+)?)?(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\M\.?(?:,?\s+(\d{4})\M)?'),
            ('month day', '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+)?(january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\M\.?\s+(\d{1,2})(?:st|nd|rd|th)?\M(?:,?\s+(\d{4})\M)?'),
            ('weekday', '(next\s+|this\s+|coming\s+)?(monday|tuesday|wednesday|thursday|friday|saturday|sunday)\M(?!,?\s+(?:the\s+)?(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))'),
            ('relative', '(today|tonight|tomorrow|day\s+after\s+tomorrow|end\s+of\s+(?:the\s+|this\s+)?(?:day|week|month|year))\M'),
            ('span',    '(\d{1,3}|one|two|three|four|five|six|seven|ten|a|an)\s+(day|week|month)s?\M')
    ), found AS (
        SELECT f.name, lower(btrim(m.whole[1])) AS phrase, regexp_match(m.whole[1], f.pattern, 'i') AS part
        FROM cue AS c
        CROSS JOIN form AS f
        CROSS JOIN LATERAL regexp_matches(left(text, 20000), '(' || c.pattern || f.pattern || ')', 'gi') AS m (whole)
        -- "five days" is a deadline only after "due in", "within" and the like
        WHERE f.name <> 'span'
        UNION ALL
        SELECT 'span', lower(btrim(m.whole[1])), regexp_match(m.whole[1], f.pattern, 'i')
        FROM form AS f
        CROSS JOIN LATERAL regexp_matches(left(text, 20000), '(\m(?:due|expires?|closes?|within|deadline(?:\s+is)?)\s+(?:in\s+)?' || f.pattern || ')', 'gi') AS m (whole)
        WHERE f.name = 'span'
    ), resolved AS (
        SELECT f.phrase, CASE f.name
            WHEN 'iso' THEN cognifold.calendar_day(f.part[1]::integer, f.part[2]::integer, f.part[3]::integer, s.day)
            WHEN 'day month' THEN cognifold.calendar_day(f.part[3]::integer, cognifold.month_number(f.part[2]), f.part[1]::integer, s.day)
            WHEN 'month day' THEN cognifold.calendar_day(f.part[3]::integer, cognifold.month_number(f.part[1]), f.part[2]::integer, s.day)
            WHEN 'weekday' THEN s.day
                -- "Friday" is the first one after today; "next Friday" the one of the week after this (weeks begin on Monday)
                + CASE WHEN f.part[1] ~* 'next'
                       THEN 7 - EXTRACT(isodow FROM s.day)::integer + cognifold.weekday_number(f.part[2])
                       ELSE (cognifold.weekday_number(f.part[2]) - EXTRACT(isodow FROM s.day)::integer + 6) % 7 + 1 END
            WHEN 'relative' THEN CASE
                WHEN f.part[1] ~* '^(today|tonight|end\s+of\s+(the\s+|this\s+)?day)$' THEN s.day
                WHEN f.part[1] ~* '^tomorrow$' THEN s.day + 1
                WHEN f.part[1] ~* 'tomorrow$' THEN s.day + 2
                WHEN f.part[1] ~* 'week$' THEN s.day + (7 - EXTRACT(isodow FROM s.day)::integer)
                WHEN f.part[1] ~* 'month$' THEN (date_trunc('month', s.day::timestamp) + interval '1 month - 1 day')::date
                ELSE make_date(EXTRACT(year FROM s.day)::integer, 12, 31) END
            WHEN 'span' THEN (s.day + cognifold.count_word(f.part[1]) * ('1 ' || f.part[2])::interval)::date
            END AS day
        FROM found AS f CROSS JOIN said AS s
    ), stated AS (   -- what an application says in so many words
        SELECT p.value AS phrase, p.value AS stamp
        FROM jsonb_each_text(CASE jsonb_typeof(payload) WHEN 'object' THEN payload ELSE '{}' END) AS p (name, value)
        WHERE lower(p.name) IN ('deadline', 'due', 'due_at', 'due_on', 'due_date', 'due_by')
          AND p.value ~ '^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s*(Z|[+-]\d{2}(:?\d{2})?)?)?$'
          AND pg_input_is_valid(p.value, 'timestamptz')
    )
    SELECT DISTINCT ON (d.moment, d."precision") d.moment, d."precision", d.phrase
    FROM (
        SELECT r.day::timestamp AT TIME ZONE zone AS moment, 'day' AS "precision", r.phrase FROM resolved AS r WHERE r.day IS NOT NULL
        UNION ALL
        SELECT CASE WHEN s.stamp ~ '[T ]\d{2}:\d{2}.*(Z|[+-]\d{2}(:?\d{2})?)$' THEN s.stamp::timestamptz
                    ELSE s.stamp::timestamp AT TIME ZONE zone END,
               CASE WHEN s.stamp ~ '[T ]' THEN 'instant' ELSE 'day' END, s.phrase
        FROM stated AS s
    ) AS d
    WHERE d.moment >= '0001-01-01T00:00:00Z' AND d.moment < '9999-12-31T00:00:00Z'  -- four digits of a year, as plans write times
    ORDER BY d.moment, d."precision", d.phrase
$$;
COMMENT ON FUNCTION cognifold.deadlines(text, jsonb, timestamptz, text) IS
    'Deadlines in a text (after by, due, until, before, deadline, expires, closes, no later than) and in a payload (deadline, due, due_at, due_on, due_date, due_by), as the start of the day or the instant, resolved against said_at in the zone; a date without a year is the next one.';
