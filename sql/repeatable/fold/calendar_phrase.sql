-- calendar_phrase: what one phrase of the calendar ("next Friday at 9am", "in May", "3 days ago") means, in the wall clock of
-- the place where it was said.
--
-- The phrase comes from dates, which has seen to its grammar; so here each word only fills its place in a form (a weekday, a
-- month, a count ...), and the form says which days are meant.
CREATE OR REPLACE FUNCTION cognifold.calendar_phrase(
    phrase text, said timestamp, tense text, is_deadline boolean, is_southern boolean,
    OUT starts timestamp, OUT ends timestamp, OUT "precision" text, OUT shift interval, OUT has_time boolean
)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
DECLARE
    today     CONSTANT date := said::date;
    monday    CONSTANT date := today - (EXTRACT(isodow FROM today)::integer - 1);
    ahead     CONSTANT boolean := is_deadline OR tense IS NOT DISTINCT FROM 'future';
    back      CONSTANT boolean := NOT is_deadline AND tense IS NOT DISTINCT FROM 'past';
    part      text[];
    words     text[];
    word      text;
    follows   text;
    before    text := '';
    place     integer := 0;
    spare     integer;       -- a number that waits for the word that says what it counts
    counted   integer;
    unit      text;          -- minute, hour, day, week, month, year, quarter
    side      text;          -- ago, ahead, from
    which     text := '';    -- next, last, this
    edge      text;          -- end, start, middle
    weekday   integer;
    day       integer;
    last_day  integer;       -- of "12 to 14 May"
    month     integer;
    year      integer;
    season    integer;       -- its first month
    quarter   integer;
    anchor    date;
    hour      integer;
    minute    integer := 0;
    meridian  text;
    daytime   text;
    spoken    boolean := false;   -- an hour that a clock with twelve says
    led       boolean := false;   -- after in, on, by, since ...: what a bare month, year or ordinal needs
    is_part   boolean := false;
    n         integer;
BEGIN
    has_time := false;
    -- Feasts that have the same date each year.
    IF phrase ~ 'christmas|new year.?s|halloween|boxing|valentine' THEN
        phrase := regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(phrase,
            'christmas eve', '24 december'), 'christmas(?: day)?', '25 december'), 'boxing day', '26 december'), 'new year.?s eve', '31 december'),
            'new year.?s day', '1 january'), 'valentine.?s day', '14 february');
        phrase := replace(phrase, 'halloween', '31 october');
    END IF;
    -- Dates in figures.
    part := regexp_match(phrase, '(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[t ](\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(z|[+-]\d{2}:?\d{2})?)?');
    IF part IS NOT NULL THEN
        anchor := cognifold.calendar_day(part[1]::integer, part[2]::integer, part[3]::integer, today);
        IF part[4]::integer > 23 OR part[5]::integer > 59 OR part[6]::integer > 59 THEN
            RETURN;
        ELSIF part[4] IS NOT NULL THEN
            has_time := true;
            starts := anchor + make_interval(hours => part[4]::integer, mins => part[5]::integer, secs => coalesce(part[6], '0')::integer);
            ends := starts;
            "precision" := CASE WHEN starts IS NOT NULL THEN 'instant' END;
            IF part[7] IS NOT NULL AND part[7] <> 'z' THEN
                shift := make_interval(hours => left(part[7], 3)::integer, mins => (left(part[7], 1) || right(part[7], 2))::integer);
            ELSIF part[7] = 'z' THEN
                shift := interval '0';
            END IF;
            RETURN;
        END IF;
    ELSE
        part := regexp_match(phrase, '(\d{1,2})([./-])(\d{1,2})[./-](\d{4})');
        IF part IS NOT NULL THEN
            -- 14.05.2024 is day first; with / or - only what can be read in one way is read.
            anchor := CASE
                WHEN part[2] = '.' OR part[1]::integer > 12 OR part[1]::integer = part[3]::integer
                    THEN cognifold.calendar_day(part[4]::integer, part[3]::integer, part[1]::integer, today)
                WHEN part[3]::integer > 12 THEN cognifold.calendar_day(part[4]::integer, part[1]::integer, part[3]::integer, today)
            END;
        END IF;
    END IF;
    IF part IS NOT NULL THEN
        IF anchor IS NULL THEN
            RETURN;
        END IF;
        phrase := replace(phrase, coalesce(substring(phrase FROM '\d{4}[-/]\d{1,2}[-/]\d{1,2}'), substring(phrase FROM '\d{1,2}[./-]\d{1,2}[./-]\d{4}')), '');
    END IF;

    -- 3:30pm, a.m., 12th, 12-14, o'clock, week's: one word each.
    words := string_to_array(btrim(regexp_replace(
        regexp_replace(replace(replace(replace(phrase, 'a.m', 'am'), 'p.m', 'pm'), '@', ' at '), '\.(?=\d\d\s*[ap]m)', ':'),
        '(?:''|’)s?\M|[[:space:],.()–]+|(?<=\d)(?:st|nd|rd|th)\M|-|(?<=\d)(?=[ap]m)', ' ', 'g')), ' ');
    words := array_remove(words, '');
    FOREACH word IN ARRAY coalesce(words, '{}') LOOP
        place := place + 1;
        follows := coalesce(words[place + 1], '');
        CASE
            WHEN word ~ '^\d+:\d\d' THEN
                hour := split_part(word, ':', 1)::integer;
                minute := left(split_part(word, ':', 2), 2)::integer;
                has_time := true;
            WHEN word IN ('am', 'pm') THEN
                IF NOT has_time THEN
                    hour := spare;
                    minute := 0;
                    spare := NULL;
                END IF;
                meridian := word;
                has_time := true;
            WHEN word = 'noon' OR word = 'midday' THEN
                hour := 12;
                has_time := true;
            WHEN word = 'midnight' THEN
                hour := 24;
                has_time := true;
            WHEN word IN ('past', 'to') AND before IN ('half', 'quarter', 'twenty', 'ten', 'five') AND counted IS NULL AND unit IS NULL THEN
                n := CASE before WHEN 'half' THEN 30 WHEN 'quarter' THEN 15 WHEN 'twenty' THEN 20 WHEN 'ten' THEN 10 ELSE 5 END;
                minute := CASE word WHEN 'past' THEN n ELSE -n END;
                hour := cognifold.count_word(follows);
                spoken := true;
                has_time := true;
                spare := NULL;
            WHEN word IN ('oclock', 'o''clock', 'o’clock', 'o') OR (word = 'clock' AND before = 'o') THEN
                IF spare IS NOT NULL THEN
                    hour := spare;
                    spare := NULL;
                END IF;
                spoken := true;
                has_time := true;
            WHEN word = 'clock' THEN
                NULL;
            WHEN before = 'at' AND word ~ '^\d{1,2}$' AND follows NOT IN ('am', 'pm', 'o') AND cognifold.month_number(follows) IS NULL THEN
                hour := word::integer;
                spoken := true;
                has_time := true;
            WHEN word ~ '^\d{4}$' THEN
                year := word::integer;
            WHEN word ~ '^\d{1,3}$' THEN
                -- "12 to 14 May", "May 12 14": two numbers
                IF spare IS NOT NULL AND day IS NULL THEN
                    day := spare;
                    last_day := word::integer;
                    spare := NULL;
                ELSIF day IS NOT NULL AND month IS NOT NULL AND hour IS NULL THEN
                    last_day := word::integer;
                ELSIF month IS NOT NULL AND day IS NULL THEN
                    day := word::integer;
                ELSE
                    spare := word::integer;
                END IF;
            WHEN word ~ '^q[1-4]$' THEN
                quarter := right(word, 1)::integer;
            WHEN word IN ('today', 'eod', 'cob') THEN
                anchor := today;
            WHEN word = 'tonight' THEN
                anchor := today;
                daytime := 'night';
            WHEN word = 'tomorrow' THEN
                anchor := today + CASE WHEN counted IS NULL AND 'after' = ANY (words) AND 'day' = ANY (words) THEN 2 ELSE 1 END;
                unit := CASE WHEN side = 'from' THEN unit END;
            WHEN word = 'yesterday' THEN
                anchor := today - CASE WHEN 'before' = ANY (words) AND 'day' = ANY (words) THEN 2 ELSE 1 END;
                unit := NULL;
            WHEN word IN ('morning', 'afternoon', 'evening', 'night', 'lunchtime') THEN
                daytime := word;
                is_part := true;
            WHEN word IN ('next', 'following', 'coming', 'upcoming') THEN
                which := CASE WHEN before = 'after' THEN 'second' WHEN word = 'coming' OR word = 'upcoming' THEN 'coming' ELSE 'next' END;
            WHEN word IN ('last', 'previous') OR (word = 'past' AND minute = 0) THEN
                which := CASE WHEN before = 'before' AND unit IS NOT NULL THEN 'before' ELSE 'last' END;
            WHEN word IN ('this', 'current') THEN
                which := 'this';
            WHEN word IN ('end', 'close', 'eow', 'eom', 'eoy') THEN
                edge := 'end';
                unit := CASE word WHEN 'eow' THEN 'week' WHEN 'eom' THEN 'month' WHEN 'eoy' THEN 'year' ELSE unit END;
            WHEN word IN ('start', 'beginning') THEN
                edge := 'start';
            WHEN word = 'middle' THEN
                edge := 'middle';
            WHEN word = 'ago' THEN
                side := 'ago';
            WHEN word = 'from' AND counted IS NOT NULL THEN
                side := 'from';
            WHEN word IN ('weekend', 'fortnight', 'business', 'hours', 'minutes', 'days', 'weeks', 'fortnights', 'months', 'years',
                          'hour', 'minute', 'day', 'week', 'month', 'year', 'quarter') THEN
                IF word = 'quarter' AND follows IN ('past', 'to') THEN
                    NULL;
                ELSIF word LIKE 'fortnight%' THEN
                    counted := 2 * coalesce(spare, 1);
                    unit := 'week';
                    spare := NULL;
                ELSE
                    unit := CASE word WHEN 'business' THEN 'day' WHEN 'weekend' THEN 'weekend' ELSE rtrim(word, 's') END;
                    IF spare IS NOT NULL OR before = 'half' THEN
                        counted := spare;
                        spare := NULL;
                    END IF;
                END IF;
            WHEN word IN ('spring', 'summer', 'autumn', 'fall', 'winter') THEN
                season := CASE word WHEN 'spring' THEN 3 WHEN 'summer' THEN 6 WHEN 'winter' THEN 12 ELSE 9 END;
                IF is_southern THEN
                    season := (season + 5) % 12 + 1;
                END IF;
            WHEN word IN ('half', 'couple', 'early', 'late', 'later', 'earlier', 'mid', 'of', 'time', 'now', 'and') THEN
                IF word = 'couple' THEN
                    spare := 2;
                ELSIF word IN ('early', 'late', 'mid', 'of') THEN
                    led := true;
                ELSIF word = 'now' THEN
                    anchor := NULL;
                END IF;
            WHEN cognifold.weekday_number(word) IS NOT NULL AND word ~ '^(mon|tue|wed|thu|fri|sat|sun)' THEN
                weekday := cognifold.weekday_number(word);
            WHEN cognifold.month_number(word) IS NOT NULL THEN
                month := cognifold.month_number(word);
                IF spare IS NOT NULL THEN
                    day := spare;
                    spare := NULL;
                END IF;
            WHEN word IN ('a', 'an') THEN
                IF before <> 'half' AND follows <> 'couple' THEN
                    spare := 1;
                END IF;
            WHEN cognifold.count_word(word) IS NOT NULL THEN
                IF before IN ('past', 'to') AND spoken THEN
                    NULL;   -- the hour, taken with "past"
                ELSIF before = 'at' AND follows NOT IN ('oclock', 'o', 'am', 'pm') THEN
                    hour := cognifold.count_word(word);
                    spoken := true;
                    has_time := true;
                ELSE
                    spare := cognifold.count_word(word);
                END IF;
            WHEN word IN ('every', 'each') THEN
                RETURN;   -- a habit has no date
            WHEN word IN ('in', 'on', 'by', 'since', 'during', 'until', 'till', 'before', 'after', 'due', 'than', 'deadline', 'expires',
                          'expire', 'closes', 'latest', 'within', 'at', 'over', 'through', 'throughout') THEN
                led := true;
                IF word IN ('in', 'within', 'due', 'expires', 'expire', 'closes', 'deadline') AND side IS NULL THEN
                    side := 'ahead';
                END IF;
            ELSE
                NULL;
        END CASE;
        before := word;
    END LOOP;

    IF has_time THEN
        IF hour IS NULL OR hour > 24 OR minute > 59 OR (meridian IS NOT NULL AND (hour > 12 OR hour < 1)) THEN
            RETURN;
        END IF;
        hour := CASE
            WHEN meridian = 'am' THEN hour % 12
            WHEN meridian = 'pm' THEN hour % 12 + 12
            -- The clock with twelve hours: one to six are the afternoon unless the text says morning.
            WHEN spoken AND hour = 12 AND daytime = 'night' THEN 24
            WHEN spoken AND hour BETWEEN 1 AND 11 AND (daytime IN ('afternoon', 'evening', 'night')
                     OR hour <= 6 AND daytime IS DISTINCT FROM 'morning') THEN hour + 12
            WHEN NOT spoken AND hour BETWEEN 1 AND 11 AND daytime IN ('afternoon', 'evening', 'night') THEN hour + 12
            ELSE hour END;
    END IF;

    "precision" := 'day';
    IF unit IN ('hour', 'minute') THEN
        IF 'half' = ANY (words) AND unit = 'hour' THEN
            shift := make_interval(mins => 30 + 60 * coalesce(counted, 0));
        ELSIF counted IS NULL THEN
            "precision" := NULL;
            RETURN;
        ELSE
            shift := counted * ('1 ' || unit)::interval;
        END IF;
        IF side = 'ago' THEN
            shift := -shift;
        ELSIF side IS NULL OR back THEN
            shift := NULL;
            "precision" := NULL;
            RETURN;
        END IF;
        has_time := true;
        "precision" := 'instant';
        RETURN;
    ELSIF counted IS NOT NULL AND side IS NOT NULL AND unit IN ('day', 'week', 'month', 'year') AND NOT (side = 'ahead' AND back) THEN
        IF side = 'from' AND weekday IS NOT NULL THEN
            anchor := today + (weekday - EXTRACT(isodow FROM today)::integer + 6) % 7 + 1;
        ELSIF side <> 'from' OR anchor IS NULL THEN
            anchor := today;
        END IF;
        anchor := (anchor + CASE WHEN side = 'ago' THEN -counted ELSE counted END * ('1 ' || unit)::interval)::date;
        starts := anchor;
        IF NOT is_deadline AND unit IN ('month', 'year') THEN   -- "two years ago" is a year, not a day
            "precision" := unit;
            starts := date_trunc(unit, starts);
        END IF;
        ends := starts + ('1 ' || "precision")::interval;
    ELSIF counted IS NOT NULL AND unit IS NOT NULL AND edge IS NULL THEN
        "precision" := NULL;   -- a duration
        RETURN;
    ELSIF day IS NOT NULL AND month IS NOT NULL THEN
        starts := CASE WHEN year IS NOT NULL THEN cognifold.calendar_day(year, month, day, today)
                       WHEN weekday IS NOT NULL THEN coalesce(   -- "Monday 8 June": the nearest year in which it is one
                           (SELECT d.day
                            FROM generate_series(-6, 6) AS o
                            CROSS JOIN LATERAL (SELECT cognifold.calendar_day(EXTRACT(year FROM today)::integer + o, month, day, today)) AS d (day)
                            WHERE EXTRACT(isodow FROM d.day) = weekday AND (NOT is_deadline OR d.day >= today)
                            ORDER BY abs(d.day - today), d.day DESC LIMIT 1),
                           cognifold.calendar_choice(month, day, today, ahead, back))
                       ELSE cognifold.calendar_choice(month, day, today, ahead, back) END;
        ends := starts + interval '1 day';
        IF last_day IS NOT NULL THEN
            ends := cognifold.calendar_day(EXTRACT(year FROM starts)::integer, month, last_day, today) + interval '1 day';
            starts := CASE WHEN ends > starts THEN starts END;
        END IF;
    ELSIF edge IS NOT NULL AND (unit IS NOT NULL OR month IS NOT NULL OR year IS NOT NULL) THEN
        n := CASE which WHEN 'next' THEN 1 WHEN 'last' THEN -1 ELSE 0 END;
        IF unit = 'day' THEN
            starts := coalesce(anchor, today);
            ends := starts + interval '1 day';
        ELSE
            IF month IS NOT NULL THEN
                unit := 'month';
                starts := CASE WHEN year IS NOT NULL THEN make_date(year, month, 1) ELSE cognifold.calendar_choice(month, 1, date_trunc('month', said)::date, ahead, back) END;
            ELSIF year IS NOT NULL AND unit IS NULL THEN
                unit := 'year';
                starts := make_date(year, 1, 1);
            ELSE
                starts := date_trunc(CASE unit WHEN 'weekend' THEN 'week' ELSE unit END, said) + n * CASE unit WHEN 'quarter' THEN interval '3 months' WHEN 'weekend' THEN interval '1 week' ELSE ('1 ' || unit)::interval END;
            END IF;
            ends := starts + CASE unit WHEN 'quarter' THEN interval '3 months' WHEN 'weekend' THEN interval '1 week' ELSE ('1 ' || unit)::interval END;
            -- The end of a week or month is its last day, its start the first; the middle is as vague as the whole.
            IF edge = 'end' THEN
                starts := ends - interval '1 day';
            ELSIF edge = 'start' THEN
                ends := starts + interval '1 day';
            ELSE
                "precision" := CASE WHEN unit IN ('month', 'year') THEN unit ELSE 'day' END;
            END IF;
        END IF;
    ELSIF anchor IS NOT NULL THEN
        starts := anchor;
        ends := starts + interval '1 day';
    ELSIF weekday IS NOT NULL THEN
        n := weekday - EXTRACT(isodow FROM today)::integer;
        starts := CASE
            WHEN unit = 'week' THEN monday + (weekday - 1) + CASE which WHEN 'next' THEN 7 WHEN 'last' THEN -7 WHEN 'second' THEN 14 ELSE 0 END
            WHEN which = 'next' THEN monday + 6 + weekday
            WHEN which = 'second' THEN monday + 13 + weekday
            -- the last one before today; else the first one after it
            WHEN which = 'last' OR (back AND which = '') THEN today - ((6 - n) % 7 + 1)
            WHEN which = 'this' AND back THEN monday + weekday - 1
            ELSE today + (n + 6) % 7 + 1 END;
        ends := starts + interval '1 day';
    ELSIF quarter IS NOT NULL OR season IS NOT NULL THEN
        month := coalesce(season, 3 * quarter - 2);
        starts := CASE WHEN year IS NOT NULL THEN make_date(year, month, 1)
            WHEN which IN ('last', 'next', 'coming') THEN (
                SELECT CASE which WHEN 'last' THEN max(m.first) FILTER (WHERE m.first + interval '3 months' <= said)
                                  ELSE min(m.first) FILTER (WHERE m.first > said) END
                FROM (SELECT make_date(EXTRACT(year FROM today)::integer + o, month, 1)::timestamp AS first FROM generate_series(-2, 2) AS o) AS m)
            WHEN which = 'this' THEN make_date(EXTRACT(year FROM today)::integer - CASE WHEN month = 12 AND EXTRACT(month FROM today) < 6 THEN 1 ELSE 0 END, month, 1)
            WHEN led THEN cognifold.calendar_choice(month, 1, (date_trunc('month', said) - CASE WHEN ahead THEN interval '2 months' ELSE interval '0' END)::date, ahead, back) END;
        ends := starts + interval '3 months';
        "precision" := 'month';
    ELSIF month IS NOT NULL THEN
        "precision" := 'month';
        n := EXTRACT(year FROM today)::integer;
        starts := CASE
            WHEN year IS NOT NULL THEN make_date(year, month, 1)
            WHEN which = 'last' THEN make_date(n - CASE WHEN month >= EXTRACT(month FROM today) THEN 1 ELSE 0 END, month, 1)
            WHEN which IN ('next', 'coming') THEN make_date(n + CASE WHEN month <= EXTRACT(month FROM today) THEN 1 ELSE 0 END, month, 1)
            WHEN which = 'this' THEN make_date(n, month, 1)
            WHEN led THEN cognifold.calendar_choice(month, 1, date_trunc('month', said)::date, ahead, back) END;
        ends := starts + interval '1 month';
    ELSIF year IS NOT NULL THEN
        "precision" := 'year';
        starts := CASE WHEN led THEN make_date(year, 1, 1) END;
        ends := starts + interval '1 year';
    ELSIF unit = 'weekend' THEN
        starts := CASE WHEN which <> '' OR led THEN monday + 5 + CASE which WHEN 'next' THEN 7 WHEN 'last' THEN -7 WHEN 'before' THEN -14 WHEN 'second' THEN 14 ELSE
                      CASE WHEN which = '' AND back AND EXTRACT(isodow FROM today) < 6 THEN -7 ELSE 0 END END END;
        ends := starts + interval '2 days';
    ELSIF unit IN ('week', 'month', 'year', 'quarter') AND which <> '' THEN
        n := CASE which WHEN 'next' THEN 1 WHEN 'coming' THEN 1 WHEN 'last' THEN -1 WHEN 'second' THEN 2 WHEN 'before' THEN -2 ELSE 0 END;
        starts := date_trunc(unit, said) + n * CASE unit WHEN 'quarter' THEN interval '3 months' ELSE ('1 ' || unit)::interval END;
        ends := starts + CASE unit WHEN 'quarter' THEN interval '3 months' ELSE ('1 ' || unit)::interval END;
        "precision" := CASE unit WHEN 'week' THEN 'day' WHEN 'quarter' THEN 'month' ELSE unit END;
    ELSIF is_part AND which IN ('this', 'last') THEN   -- "this morning", "last night"
        starts := today - CASE WHEN which <> 'last' THEN 0 WHEN 'before' = ANY (words) THEN 2 ELSE 1 END;   -- "the night before last"
        ends := starts + interval '1 day';
    ELSIF spare IS NOT NULL AND led AND NOT has_time THEN   -- "the 3rd": of this month or the next, of this or the last
        starts := (SELECT CASE WHEN back THEN max(d.day) FILTER (WHERE d.day <= today) ELSE min(d.day) FILTER (WHERE d.day >= today) END
                   FROM generate_series(-3, 3) AS o
                   CROSS JOIN LATERAL (SELECT date_trunc('month', said) + o * interval '1 month') AS m (first)
                   CROSS JOIN LATERAL (SELECT cognifold.calendar_day(EXTRACT(year FROM m.first)::integer, EXTRACT(month FROM m.first)::integer, spare, today)) AS d (day));
        ends := starts + interval '1 day';
    ELSIF has_time THEN
        starts := today;
        ends := starts + interval '1 day';
        IF NOT (hour >= 0) THEN
            starts := NULL;
        END IF;
        -- a time alone is of the day it was said on
        "precision" := 'time';
    END IF;

    IF starts IS NULL THEN
        "precision" := NULL;
    ELSIF has_time AND "precision" IN ('day', 'time') THEN
        starts := starts + make_interval(hours => hour, mins => minute);
        ends := starts;
        "precision" := CASE "precision" WHEN 'time' THEN 'time' ELSE 'instant' END;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.calendar_phrase(text, timestamp, text, boolean, boolean) IS
    'What a phrase that dates has found means, said at a moment of the local clock: start and end (exclusive) on that clock and the precision; time alone has the precision time and the day it was said on. shift: for "in 3 hours" how far from the moment it was said; for an ISO time its offset from UTC. NULL precision: no date after all. Internal.';
