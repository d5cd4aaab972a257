-- recurrence_fault: what is wrong with a rule of recurrence, or NULL. Rules are a part of iCalendar's RRULE (RFC 5545, 3.3.10).
CREATE OR REPLACE FUNCTION cognifold.recurrence_fault(rule text) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    WITH part AS MATERIALIZED (
        SELECT split_part(p.part, '=', 1) AS name, split_part(p.part, '=', 2) AS value, p.part
        FROM string_to_table(rule, ';') AS p (part)
    ), named AS MATERIALIZED (
        SELECT max(p.value) FILTER (WHERE p.name = 'FREQ') AS freq, max(p.value) FILTER (WHERE p.name = 'INTERVAL') AS every,
               max(p.value) FILTER (WHERE p.name = 'BYDAY') AS days, max(p.value) FILTER (WHERE p.name = 'UNTIL') AS until,
               max(p.value) FILTER (WHERE p.name = 'COUNT') AS number, count(*) <> count(DISTINCT p.name) AS repeated,
               min(p.part) FILTER (WHERE p.name NOT IN ('FREQ', 'INTERVAL', 'BYDAY', 'UNTIL', 'COUNT') OR p.part !~ '^[A-Z]+=[^=]+$') AS strange
        FROM part AS p
    )
    SELECT CASE
        WHEN rule IS NULL OR octet_length(rule) > 200 THEN 'a rule is a text of at most 200 bytes, as FREQ=WEEKLY;BYDAY=MO'
        WHEN n.strange IS NOT NULL THEN format('%L is no part of a rule; parts are FREQ, INTERVAL, BYDAY, UNTIL and COUNT', n.strange)
        WHEN n.repeated THEN 'a part is there twice'
        WHEN n.freq IS NULL OR n.freq NOT IN ('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY')
        THEN format('FREQ is %s; it must be DAILY, WEEKLY, MONTHLY or YEARLY', coalesce(n.freq, 'missing'))
        WHEN n.every !~ '^[1-9]\d{0,2}$' THEN 'INTERVAL is not a number from 1 to 999'
        WHEN n.number !~ '^[1-9]\d{0,2}$' THEN 'COUNT is not a number from 1 to 999'
        WHEN n.days !~ '^(MO|TU|WE|TH|FR|SA|SU)(,(MO|TU|WE|TH|FR|SA|SU))*$' THEN 'BYDAY is not a list of MO, TU, WE, TH, FR, SA and SU'
        WHEN n.days IS NOT NULL AND n.freq NOT IN ('DAILY', 'WEEKLY') THEN format('BYDAY goes with DAILY and WEEKLY, not with %s', n.freq)
        WHEN n.until !~ '^\d{8}(T\d{6}Z)?$' OR NOT pg_input_is_valid(n.until, 'timestamptz') THEN 'UNTIL is not a day (20261231) or moment (20261231T170000Z)'
        WHEN n.until IS NOT NULL AND n.number IS NOT NULL THEN 'UNTIL and COUNT exclude each other' END
    FROM named AS n
$$;
COMMENT ON FUNCTION cognifold.recurrence_fault(text) IS 'Why a text is no rule that occurrences can read; NULL where it is one. Internal.';
