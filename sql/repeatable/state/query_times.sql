-- query_times: the spans of time that a question speaks of, and the question without them.
--
-- The phrases are those of dates, read as of the question's moment and of the past, where memories are. Around them: between A
-- and B is one span, before and after, since and until leave one end open; recently is a span with a soft edge.
CREATE OR REPLACE FUNCTION cognifold.query_times(query text, clock timestamptz DEFAULT NULL, zone text DEFAULT NULL)
RETURNS TABLE (since timestamptz, until timestamptz, phrase text, kind text, rest text)
LANGUAGE plpgsql STABLE ROWS 1
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    moment   timestamptz;
    found    record;
    earlier  record;
    lead     text;
    place    integer;
    left_out text;
    is_held  boolean := false;   -- there is an earlier one
BEGIN
    -- Most questions have no word of time, and of those that have one, most say it in passing: "how many years", "may".
    IF query !~* '\d{4}|\m(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|to(?:day|night)|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weeks?|weekend|fortnight|months?|years?|days?|hours?|spring|summer|autumn|fall|winter|christmas|halloween|last night|this (?:morning|afternoon|evening)|recent|recently|lately|january|february|march|april|june|july|august|sept|september|october|november|december|the other day)\M'
       OR query !~* '\d|\m(?:jan(?:uary)?|feb(?:ruary)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|to(?:day|night|morrow)|yesterday|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|summer|autumn|christmas|halloween|recent|recently|lately|the other day|(?:in|on|at|by|since|until|till|before|after|during|from|through(?:out)?|around|about|of|over|early|late|mid|last|next|this|past|coming|previous|following|current|each|every|to|due|within|than|the)[\s-]+(?:mar(?:ch)?|may|spring|fall|winter|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|couple|of|half|next|last|this|coming|past|previous|following|current)\s+(?:an?\s+)?(?:minute|hour|day|week|fortnight|month|year|quarter)s?|last night|this (?:morning|afternoon|evening)|(?:end|start|beginning|middle|close)\s+of|(?:day|night|week|month|year)\s+(?:after|before)|noon|midday|midnight|o.?\s?clock|at\s+(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|(?:past|to)\s+(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)|eod|eow|eom|eoy|cob|boxing|valentine|eve|new\s+year)\M' THEN
        RETURN;
    END IF;
    moment := coalesce(clock, cognifold.now());
    SELECT NULL::timestamptz AS since, NULL::timestamptz AS until, NULL::text AS phrase, NULL::text AS kind, NULL::text AS lead INTO earlier;
    left_out := left(query, 10000);   -- (as query_terms reads it)
    -- The past is meant: "in May" of a question is the last May.
    FOR found IN
        SELECT d.phrase, d.starts_at, d.ends_at, d."precision"
        FROM cognifold.dates('There was ' || left(query, 1000), moment, zone) AS d
    LOOP
        phrase := found.phrase;
        lead := lower(substring(found.phrase FROM '^\w+'));
        since := found.starts_at;
        until := CASE WHEN found.ends_at > found.starts_at THEN found.ends_at ELSE found.starts_at + interval '1 day' END;
        -- A year that is not past yet is the one before; so is a month said without its year.
        IF since > moment AND found.phrase !~ '\d{4}' AND found.phrase !~* '\m(next|coming|tomorrow|following|will)\M' AND query !~* '\m(will|next|tomorrow|upcoming|going to)\M' THEN
            since := since - interval '1 year';
            until := until - interval '1 year';
        END IF;
        place := strpos(lower(left_out), lower(found.phrase));
        -- (Patterns that stand still are compiled once.)
        lead := coalesce(substring(lower(left(left_out, place - 1)) FROM '\m(before|prior to|after|since|until|till|by|between|from|and|to|as of)\s+(?:the\s+)?$'), lead);
        kind := 'hard';
        IF lead IN ('and', 'to', 'until', 'till') AND is_held AND earlier.until <= since THEN
            since := earlier.since;          -- between A and B, from A to B
            phrase := earlier.phrase || ' ' || lead || ' ' || phrase;
        ELSIF is_held AND earlier.lead NOT IN ('between', 'from') THEN
            RETURN QUERY SELECT earlier.since, earlier.until, earlier.phrase, earlier.kind, NULL::text;
        END IF;
        IF lead IN ('before', 'prior to', 'until', 'till', 'by') AND (NOT is_held OR earlier.since <> since) THEN
            until := CASE WHEN lead IN ('before', 'prior to') THEN since ELSE until END;
            since := '-infinity';
        ELSIF lead IN ('after', 'since') THEN
            since := CASE lead WHEN 'after' THEN until ELSE since END;
            until := 'infinity';
        END IF;
        SELECT since, until, phrase, kind, lead INTO earlier;
        is_held := true;
        IF place > 0 THEN
            left_out := regexp_replace(left(left_out, place - 1), '\m(?:(?:in|on|at|during|before|after|since|until|till|by|between|from|and|of|as of|around|over|the|prior to)\s+)*$', '', 'i')
                        || ' ' || substr(left_out, place + length(found.phrase));
        END IF;
    END LOOP;
    IF NOT is_held AND query ~* '\m(recent|recently|lately|the other day)\M' THEN
        since := moment - make_interval(secs => cognifold.setting('recall.recently'));
        until := moment;
        phrase := lower(substring(query FROM '(?i)\m(recently|recent|lately|the other day)\M'));
        kind := 'soft';
        rest := btrim(regexp_replace(query, '\m(recently|lately|the other day)\M', ' ', 'i'));
        RETURN NEXT;
    ELSIF is_held THEN
        RETURN QUERY SELECT earlier.since, earlier.until, earlier.phrase, earlier.kind,
            CASE WHEN left_out ~ '[[:alnum:]]{2}' THEN btrim(regexp_replace(left_out, '\s+', ' ', 'g')) ELSE query END;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.query_times(text, timestamptz, text) IS
    'The spans since <= t < until that an English question speaks of, resolved against clock (default: now) in zone (default: the tenant''s), each read of the past unless it speaks of what is to come; phrase as written; kind hard (a date) or soft (recently: recall.recently before the clock); rest, in the last row, the question without them. No row for a question without a word of time.';
