-- occurrences: when something that recurs comes next.
CREATE OR REPLACE FUNCTION cognifold.occurrences(
    rule text, starts_at timestamptz, k integer DEFAULT 1, as_of timestamptz DEFAULT NULL, time_zone text DEFAULT NULL
) RETURNS TABLE (moment timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 1
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text;
    fault    text := cognifold.recurrence_fault(rule);
BEGIN
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'occurrences: % is no rule: %', coalesce(quote_literal(left(rule, 200)), 'NULL'), fault
            USING ERRCODE = 'CF038', HINT = 'Rules are a part of RRULE (RFC 5545): FREQ=DAILY|WEEKLY|MONTHLY|YEARLY, then INTERVAL, BYDAY, UNTIL or COUNT.';
    ELSIF starts_at IS NULL OR NOT isfinite(starts_at) OR NOT isfinite(coalesce(as_of, cognifold.now())) OR k IS NULL OR k NOT BETWEEN 1 AND 1000 THEN
        RAISE EXCEPTION 'occurrences: starts_at = %, as_of = %, k = %', starts_at, as_of, k
            USING ERRCODE = 'CF010', HINT = 'Give finite moments and a number from 1 to 1000.';
    END IF;
    IF time_zone IS NULL THEN
        previous := cognifold.enter_tenant(cognifold.required_tenant());
        time_zone := (SELECT t.time_zone FROM cognifold.tenant AS t WHERE t.tenant_id = cognifold.required_tenant());
        PERFORM cognifold.leave_tenant(previous);
    END IF;
    RETURN QUERY SELECT t.moment FROM cognifold.recurring_times(rule, starts_at, time_zone, coalesce(as_of, cognifold.now()), k) AS t;
END
$$;
COMMENT ON FUNCTION cognifold.occurrences(text, timestamptz, integer, timestamptz, text) IS
    'The next k occurrences, from as_of on (default the memory''s clock), of what recurs by rule from starts_at on. The rule is a part of iCalendar''s RRULE (RFC 5545): FREQ=DAILY|WEEKLY|MONTHLY|YEARLY, INTERVAL, BYDAY (days of the week, with DAILY and WEEKLY; weeks begin on Monday), UNTIL (a day or a moment in UTC, inclusive) or COUNT (from starts_at on, those that fit), e.g. FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH. Counted in local time of time_zone (default the tenant''s); months and years without that day are passed over. CF038 for another rule.';
