-- deadlines: the last moments a text or payload speaks of ("by Friday", "due 12 June", {"deadline": ...}), resolved
-- against when it was said, in the tenant's time zone. What a text means is read by dates.
CREATE OR REPLACE FUNCTION cognifold.deadlines(text text, payload jsonb, said_at timestamptz, zone text)
RETURNS TABLE (moment timestamptz, "precision" text, phrase text)
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    WITH stated AS (   -- what an application says in so many words
        SELECT p.value AS phrase, p.value AS stamp
        FROM jsonb_each_text(CASE jsonb_typeof(payload) WHEN 'object' THEN payload ELSE '{}' END) AS p (name, value)
        WHERE lower(p.name) IN ('deadline', 'due', 'due_at', 'due_on', 'due_date', 'due_by') AND isfinite(said_at)
          AND p.value ~ '^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s*(Z|[+-]\d{2}(:?\d{2})?)?)?$'
          AND pg_input_is_valid(p.value, 'timestamptz')
    )
    SELECT DISTINCT ON (d.moment, d."precision") d.moment, d."precision", d.phrase
    FROM (
        SELECT CASE WHEN t."precision" = 'instant' OR t.phrase ~* '^(by|before)\M(?!.*\mthis\M)' THEN t.starts_at
                    -- "due in June": until June is over, so its last day
                    ELSE ((t.ends_at AT TIME ZONE zone) - interval '1 day') AT TIME ZONE zone END AS moment,
               CASE t."precision" WHEN 'instant' THEN 'instant' ELSE 'day' END AS "precision", lower(t.phrase) AS phrase
        FROM cognifold.dates(deadlines.text, said_at, zone) AS t
        -- Most texts name no deadline: one look for the words that make one (calendar_phrase_in) saves reading all their dates.
        WHERE deadlines.text ~* '\m(due|by|until|till|before|later|deadlines?|expires?|closes?|ends?|runs?|lapses?|latest|within)\M' AND t.is_deadline
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
    'Deadlines in a text (those of dates) and in a payload (deadline, due, due_at, due_on, due_date, due_by), as the start of the day or the instant, resolved against said_at in the zone. A week, month or year is its last day, after by and before its first. Internal.';
