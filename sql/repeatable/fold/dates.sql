-- dates: the days, months, years and moments a text speaks of, resolved against when it was said, in the place where it was.
--
-- Three steps: a cheap look whether there is any word of the calendar (most texts have none), one pattern that finds the
-- phrases, and calendar_phrase, which reads each of them.
CREATE OR REPLACE FUNCTION cognifold.dates(content text, occurred_at timestamptz, time_zone text DEFAULT NULL)
RETURNS TABLE (phrase text, starts_at timestamptz, ends_at timestamptz, "precision" text, is_deadline boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 2
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    spoken CONSTANT text := left(content, 20000);
BEGIN
    IF spoken !~* '\m(?:(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\M|q\d|to(?:day|night|morrow)|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:on|by|next|last|this|until|before|due|since)\s+(?:mon|tue|wed|thu|fri|sat|sun)|week|fortnight|month|year|quarter|minute|hour|day|spring|summer|autumn|fall\M|winter|last\s+night|before\s+last|christmas|halloween|boxing|valentine|this\s+(?:morning|afternoon|evening)|noon|midday|midnight|eo[dwmy]\M|cob\M|(?:half|quarter|ten|twenty|five)\s+(?:past|to)\M|end\s+of|at\s+\d|\w+\s+o.?\s?clock)|\d[-/.]\d{1,2}[-/.]\d|\d:\d\d|\d\s*[ap]\.?m\M|\d(?:st|nd|rd|th)\M|(?:1[89]|20)\d\d\M'
       OR occurred_at IS NULL
       -- A phrase goes 999 years either way ("999 years ago"); nearer to the ends than that, and at infinity, no date is one.
       OR occurred_at NOT BETWEEN '3700-01-01 00:00:00+00 BC' AND '293200-01-01 00:00:00+00' THEN
        RETURN;
    END IF;
    DECLARE   -- here, not above: most texts never come this far
        month_name  CONSTANT text := '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\M\.?';
        day_name    CONSTANT text := '(?:mon|tues|wednes|thurs|fri|satur|sun)day\M';
        short_name  CONSTANT text := '(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\M\.?';
        day_number  CONSTANT text := '\d{1,2}(?:st|nd|rd|th)?\M';
        year_number CONSTANT text := '(?:1[89]|20)\d\d\M';
        count_name  CONSTANT text := '(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|an?\s+couple(?:\s+of)?)';
        hour_name   CONSTANT text := '(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)';
        due         CONSTANT text := '(?:due(?:\s+back)?|by|until|till|before|(?:no|not)\s+later\s+than|deadline(?:\s+(?:is|of|for))?:?|expires?|closes?|at\s+the\s+latest|within)';
        lead        CONSTANT text := '(?:(?:' || due || '|to|on|in|at|from|since|during|after|of|over|through(?:out)?|about|around|early|late|mid|every|each)[\s-]+)*(?:the\s+)?';
        date_form   CONSTANT text := concat_ws('|',
            '\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?:z\M|[+-]\d{2}:?\d{2})?)?', '\d{4}/\d{1,2}/\d{1,2}', '\d{1,2}[./-]\d{1,2}[./-]\d{4}',
            -- Friday the 12th of June 2026, 12-14 June
            '(?:(?:' || day_name || '|' || short_name || '),?\s+(?:the\s+)?)?' || day_number || '(?:\s*(?:-|–|to|until|till|through|and)\s*(?:the\s+)?' || day_number || ')?\s+(?:of\s+)?' || month_name || '(?:,?\s+' || year_number || ')?',
            -- Friday, June 12th, 2026
            '(?:(?:' || day_name || '|' || short_name || '),?\s+)?' || month_name || '\s+(?:the\s+)?' || day_number || '(?:\s*(?:-|–|to|through)\s*' || day_number || ')?(?:,?\s+' || year_number || ')?',
            '(?:(?:next|last|this|past)\s+)?' || month_name || '(?:,?\s+(?:of\s+)?' || year_number || ')?',
            '(?:(?:next|last|this(?:\s+coming)?|coming|following|past)\s+)?' || day_name || '(?:,?\s+(?:of\s+)?(?:next|last|this)\s+week\M|\s+after\s+next\M)?',
            '(?:next|last|this|on|by|until|before|due|since)\s+' || short_name,
            'today\M|tonight\M|(?:day\s+after\s+)?tomorrow\M|(?:day\s+before\s+)?yesterday\M|last\s+night\M|(?:night|week|weekend|month|year)\s+before\s+last\M|this\s+(?:morning|afternoon|evening)\M',
            '(?:christmas|new\s+year[''’]?s)\s+(?:eve|day)\M(?:,?\s+' || year_number || ')?|(?:on|at|by|before|until|since|last|next|this)\s+christmas\M(?!\s+[a-z])|boxing\s+day\M|halloween\M|valentine[''’]?s\s+day\M',
            '(?:week(?:end)?\s+after\s+next|(?:next|last|this|(?:this\s+)?past|previous|coming|following|current)\s+(?:week(?:end)?|month|year|quarter|spring|summer|autumn|fall|winter))\M',
            'weekend\M',
            count_name || '\s+(?:(?:minute|hour|day|week|fortnight|month|year)s?|weekends?)\M(?:[''’]s?)?(?:\s+(?:ago|time|from\s+(?:now|today|tomorrow|' || day_name || '))\M)?',
            '(?:an?\s+)?half\s+an?\s+hour\M(?:\s+(?:ago|from\s+now)\M)?',
            '(?:end|start|beginning|middle|close)\s+of\s+(?:the\s+|this\s+|next\s+|last\s+)*(?:(?:business\s+)?day|business|week(?:end)?|month|year|quarter|' || month_name || '|' || year_number || ')\M\.?(?:,?\s+(?:of\s+)?' || year_number || ')?',
            '(?:eod|eow|eom|eoy|cob)\M', 'q[1-4]\M(?:,?\s+(?:of\s+)?' || year_number || ')?', '(?:spring|summer|autumn|fall|winter)\M(?:\s+(?:of\s+)?' || year_number || ')?',
            year_number,
            '\d{1,2}(?:st|nd|rd|th)\M(?=\s*(?:$|[.,;:!?)]|(?:at|and|or|to|if|for|we|i|he|she|they|you|with|by|it|is|was|as|because|but|in|so|this|please|from|until|there|when|after|before)\M))');
        time_form   CONSTANT text := concat_ws('|',
            '\d{1,2}(?:[:.]\d{2})?\s*[ap]\.?m\M\.?', '\d{1,2}:\d{2}(?::\d{2})?\M', 'noon\M|midday\M|midnight\M',
            '(?:half|quarter|twenty|ten|five)\s+(?:past|to)\s+' || hour_name || '\M', hour_name || '\s+o[''’]?\s?clock\M', '(?:at|@)\s+' || hour_name || '\M(?![.,:/%°]?\d)');
        pattern     CONSTANT text := '(\m' || lead || '(?:' || date_form || '|' || time_form || ')(?:\s+(?:in\s+the\s+|at\s+)?(?:morning|afternoon|evening|night|lunchtime)\M)?)';
        previous    text;
        said        timestamp;
        southern    boolean;
        found       text;
        pending     text;
        pending_at  integer;
        place       integer;
        onward      integer := 1;
        gap         text;
        earlier     record;
        later       record;
        joined      record;
    BEGIN
        IF time_zone IS NULL THEN
            previous := cognifold.enter_tenant(cognifold.required_tenant());
            time_zone := (SELECT t.time_zone FROM cognifold.tenant AS t WHERE t.tenant_id = cognifold.required_tenant());
            PERFORM cognifold.leave_tenant(previous);
        END IF;
        said := occurred_at AT TIME ZONE time_zone;
        earlier := cognifold.calendar_phrase_in('', '', 1, said, false);   -- nothing yet
        southern := time_zone ~ '^(Australia/|Antarctica/|Pacific/(Auckland|Chatham)|NZ|Africa/(Johannesburg|Maputo|Harare|Windhoek|Gaborone|Maseru|Mbabane)|America/(Argentina|Buenos_Aires|Santiago|Punta_Arenas|Sao_Paulo|Montevideo|Asuncion))';

        -- A date and a time side by side are one: "Friday at 9", "at 9 on Friday". So each phrase waits for the next one.
        FOR found IN SELECT m.whole[1] FROM regexp_matches(spoken, pattern, 'gi') AS m (whole) UNION ALL SELECT NULL LOOP
            IF found IS NOT NULL THEN
                place := onward - 1 + strpos(substr(spoken, onward), found);
                CONTINUE WHEN NOT cognifold.is_calendar_phrase(found, substr(spoken, greatest(place - 12, 1), least(place - 1, 12)), substr(spoken, place + length(found), 12));
                gap := substr(spoken, onward, place - onward);
                later := cognifold.calendar_phrase_in(spoken, found, place, said, southern);
                IF pending IS NOT NULL AND gap ~ '^[\s,]*$' AND onward = pending_at + length(pending)
                   AND (earlier."precision" = 'time') <> (coalesce(later."precision", '') = 'time') AND 'day' IN (earlier."precision", later."precision") THEN
                    joined := cognifold.calendar_phrase_in(spoken, pending || gap || found, pending_at, said, southern);
                    IF joined."precision" = 'instant' THEN
                        pending := pending || gap || found;
                        earlier := joined;
                        onward := place + length(found);
                        CONTINUE;
                    END IF;
                END IF;
            END IF;
            IF pending IS NOT NULL AND (earlier."precision" <> 'time'
                   -- A time alone needs a word that says it is one.
                   OR pending ~* '^(at|by|from|until|till|before|after|around|about|since|due|@)\M|[ap]\.?m\M|past|clock|quarter|half') THEN
                phrase := pending;
                is_deadline := earlier.is_deadline;
                "precision" := CASE earlier."precision" WHEN 'time' THEN 'instant' ELSE earlier."precision" END;
                IF earlier.shift IS NULL THEN
                    starts_at := earlier.starts AT TIME ZONE time_zone;
                    ends_at := earlier.ends AT TIME ZONE time_zone;
                ELSIF earlier.starts IS NULL THEN
                    starts_at := occurred_at + earlier.shift;
                    ends_at := starts_at;
                ELSE
                    starts_at := (earlier.starts - earlier.shift) AT TIME ZONE 'UTC';
                    ends_at := starts_at;
                END IF;
                is_deadline := is_deadline AND ("precision" IN ('instant', 'day') OR ends_at > occurred_at);
                RETURN NEXT;
            END IF;
            EXIT WHEN found IS NULL;
            pending := CASE WHEN later."precision" IS NOT NULL THEN found END;
            pending_at := place;
            earlier := later;
            onward := place + length(found);
        END LOOP;
    END;
END
$$;
COMMENT ON FUNCTION cognifold.dates(text, timestamptz, text) IS
    'The dates and times an English text speaks of, in order, resolved against occurred_at (never the clock) in time_zone, an IANA name (default: the tenant''s). starts_at to ends_at, the end exclusive: precision day (also several days: a week, a weekend, "12-14 June"), month (also a quarter or season), year; an instant ends when it starts. is_deadline: after by, due, until, before, within, no later than, deadline, expires, closes, ends, runs out, lapses. Rules where people differ: weeks begin on Monday; "next Friday" is the one of the week after this, "on Friday" the first after today, in the past tense the last before it, as is "last Friday"; a date without a year is the next one for a deadline or in the future tense, the last one in the past tense, else the nearest, and one with its weekday is of the nearest year where both agree; 04.05.2024 is day first, 04/05/2024 is not read because it might be either; parts of a day are the whole day; "at 5" and "half past five" without am, pm or a part of the day are the afternoon from one to six; midnight is the end of its day; a time alone is of the day it was said on; "two months ago" is a month, "two years ago" a year; a season is three whole months, of the southern year in zones of the south; a time that the change to summer time skips is moved on by an hour, and one that occurs twice is the later. Reads the first 20,000 characters. Raises invalid_parameter_value for a zone that is not known, CF001 or CF004 where the tenant''s is asked for and none is set.';
