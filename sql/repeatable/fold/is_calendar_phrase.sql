-- is_calendar_phrase: whether figures and short names that look like a date stand where a date can stand.
CREATE OR REPLACE FUNCTION cognifold.is_calendar_phrase(phrase text, before text, after text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT NOT (
        -- 1.2.2024 of a version, 555-2024, #2024, $2024; and the middle of a longer row of figures
        (phrase ~ '^\d' AND before ~ '[\w./:#+$€£-]$')
        OR (phrase ~ '\d$' AND after ~ '^([%°/:-]?\d|[%°€/]|[.,]\d|-\w)')
        -- Mon, Sat and Sun are days only as names, and so is the month that is also a verb
        OR (phrase ~* '\s(mon|sat|sun|wed|tues?|thu|fri)\.?$' AND phrase !~ '(Mon|Sat|Sun|Wed|Tues?|Thu|Fri|MON|SAT|SUN|WED|TUE|THU|FRI)\.?$')
        OR (phrase ~ '\m(1[89]|20)\d\d$' AND after ~* '^\s+(people|cases|dollars|euros|pounds|steps|words|items|units|users|times|miles|km|kg|meters|metres|hours|days|years|calories|points|rows|lines|files|tests|[a-z]+(ers|ions))\M'))
$$;
COMMENT ON FUNCTION cognifold.is_calendar_phrase(text, text, text) IS 'Whether what stands before and after a phrase leaves it a date: no version, phone number, price, count or verb. Internal.';
