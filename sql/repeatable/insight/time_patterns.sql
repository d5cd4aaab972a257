-- time_patterns: at what time of day, on which day of the week and how regularly something recurs, where that is no chance.
--
-- Each test is exact and small-sample honest. So many of so many times fall into an hour span or on a weekday: the binomial tail,
-- its share being the larger of the span's share of the day (or 1/7) and what the tenant's other events have there, so that
-- who writes in the evening only has no habits of the evening (where little else is known, things are taken to happen in
-- insight.waking hours of the day); times the number of spans or weekdays looked at (Bonferroni).
-- Pauses of one length: of pauses between events at random times, whatever their rate, at most s lie within a share t of any one
-- length, s = e^(-(1-t)x) - e^(-(1+t)x) at x = ln((1+t)/(1-t)) / 2t; again the binomial tail, times the number of pauses.
CREATE OR REPLACE FUNCTION cognifold.time_patterns(
    title text, events uuid[], starts timestamp[], timed boolean[], others timestamp[], zone text, settings jsonb
) RETURNS TABLE (kind text, value text, held integer, total integer, chance double precision, said text, evidence uuid[])
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    minimum   CONSTANT integer := settings -> 'insight.minimum';
    usual     CONSTANT double precision := settings -> 'insight.share';
    prior     CONSTANT double precision := settings -> 'insight.prior';
    near      CONSTANT double precision := settings -> 'insight.near';
    by_chance CONSTANT double precision := exp(-(1 - near) * ln((1 + near) / (1 - near)) / (2 * near)) - exp(-(1 + near) * ln((1 + near) / (1 - near)) / (2 * near));
    spans     CONSTANT double precision[] := ARRAY[3600, 7200, 10800, 14400, 21600];
    day       CONSTANT double precision := 86400;
    waking    CONSTANT double precision := 3600 * (settings ->> 'insight.waking')::double precision;
    days      CONSTANT integer := (SELECT count(DISTINCT s.at::date) FROM unnest(starts) AS s (at));
    weekly    boolean := false;
    found     record;
BEGIN
    IF days < minimum THEN
        RETURN;
    END IF;

    -- 1. Time of day: each occasion begins a span.
    SELECT b.* INTO found
    FROM (
        WITH occasion AS MATERIALIZED (
            SELECT s.event_id, extract(epoch FROM s.at::time) AS second, s.at
            FROM unnest(events, starts, timed) AS s (event_id, at, timed) WHERE s.timed
        ), span AS MATERIALIZED (
            SELECT w.width, a.second AS begins, count(*)::integer AS held, n.total,
                   row_number() OVER (PARTITION BY w.width ORDER BY count(*) DESC, a.second) AS rank
            FROM (SELECT count(*)::integer AS total FROM occasion) AS n
            CROSS JOIN unnest(spans) AS w (width)
            CROSS JOIN (SELECT DISTINCT o.second FROM occasion AS o) AS a
            JOIN occasion AS o ON mod((o.second - a.second + day)::numeric, day::numeric) <= w.width
            GROUP BY w.width, a.second, n.total
        ), weighed AS (
            SELECT s.*, least(1, cardinality(spans) * s.total * cognifold.binomial_tail(s.held - 1, s.total - 1, greatest(s.width / day, o.share))) AS chance
            FROM span AS s
            CROSS JOIN LATERAL (
                SELECT (count(*) FILTER (WHERE mod((extract(epoch FROM u.at::time) - s.begins + day)::numeric, day::numeric) <= s.width) + prior * least(1, s.width / waking))
                       / (count(*) + prior) AS share
                FROM unnest(others) AS u (at)
            ) AS o
            WHERE s.rank <= 2 AND s.total >= minimum AND s.held >= usual * s.total
        )
        SELECT w.*, (SELECT array_agg(o.event_id ORDER BY o.at, o.event_id) FROM occasion AS o
                     WHERE mod((o.second - w.begins + day)::numeric, day::numeric) <= w.width) AS evidence,
               (SELECT max(mod((o.second - w.begins + day)::numeric, day::numeric)) FROM occasion AS o
                WHERE mod((o.second - w.begins + day)::numeric, day::numeric) <= w.width)::double precision AS length,
               (SELECT count(DISTINCT o.at::date) FROM occasion AS o WHERE mod((o.second - w.begins + day)::numeric, day::numeric) <= w.width) AS dates
        FROM weighed AS w ORDER BY w.chance, w.width, w.begins LIMIT 1
    ) AS b;
    IF found.chance IS NOT NULL AND found.dates >= minimum THEN
        kind := 'time_of_day';
        value := cognifold.day_part(mod((found.begins + found.length / 2)::numeric, day::numeric)::double precision);
        held := found.held; total := found.total; chance := found.chance; evidence := found.evidence;
        said := format('"%s" is usually %s: %s of %s times between %s and %s (%s)', title,
                       CASE value WHEN 'night' THEN 'at night' ELSE 'in the ' || value END, held, total,
                       to_char(make_interval(secs => found.begins), 'HH24:MI'),
                       to_char(make_interval(secs => mod((found.begins + found.length)::numeric, day::numeric)::double precision), 'HH24:MI'), zone);
        RETURN NEXT;
    END IF;

    -- 2. Day of the week: by days, each once.
    SELECT b.* INTO found
    FROM (
        SELECT d.dow, count(*)::integer AS held, days AS total, array_agg(d.event_id ORDER BY d.date) AS evidence, max(d.date) - min(d.date) AS length,
               7 * cognifold.binomial_tail(count(*)::integer, days, greatest(1.0 / 7, max(o.share))) AS chance
        FROM (SELECT DISTINCT ON (s.at::date) s.at::date AS date, extract(isodow FROM s.at)::integer AS dow, s.event_id
              FROM unnest(events, starts) AS s (event_id, at) ORDER BY s.at::date, s.at, s.event_id) AS d
        JOIN LATERAL (
            SELECT (count(*) FILTER (WHERE extract(isodow FROM u.date) = d.dow) + prior / 7) / (count(*) + prior) AS share
            FROM (SELECT DISTINCT u.at::date AS date FROM unnest(others) AS u (at)) AS u
        ) AS o ON true
        GROUP BY d.dow
        ORDER BY 6, d.dow LIMIT 1
    ) AS b;
    IF found.held >= usual * days AND found.length >= 21 THEN
        kind := 'weekday';
        value := (ARRAY['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])[found.dow];
        held := found.held; total := found.total; chance := least(1, found.chance); evidence := found.evidence;
        weekly := chance <= (settings ->> 'insight.chance')::double precision;
        said := format('"%s" falls on %ss: %s of %s days (%s)', title, value, held, total, zone);
        RETURN NEXT;
    END IF;

    -- 3. Pauses of about one length, where it is not the tenant's own rhythm.
    SELECT b.* INTO found
    FROM (
        WITH date AS MATERIALIZED (
            SELECT DISTINCT ON (s.at::date) s.at, s.event_id FROM unnest(events, starts) AS s (event_id, at) ORDER BY s.at::date, s.at, s.event_id
        ), pause AS MATERIALIZED (
            SELECT p.* FROM (SELECT d.event_id, extract(epoch FROM d.at - lag(d.at) OVER (ORDER BY d.at))::double precision AS length FROM date AS d) AS p
            WHERE p.length IS NOT NULL
        )
        SELECT l.length, c.held, c.total, least(1, c.total * cognifold.binomial_tail(c.held - 1, c.total - 1, by_chance)) AS chance, c.evidence, c.shortest, c.longest
        FROM (SELECT DISTINCT p.length FROM pause AS p WHERE p.length >= 0.75 * day) AS l
        CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE p.length BETWEEN l.length * (1 - near) AND l.length * (1 + near))::integer AS held, count(*)::integer AS total,
                   array_agg(p.event_id ORDER BY p.event_id) FILTER (WHERE p.length BETWEEN l.length * (1 - near) AND l.length * (1 + near)) AS evidence,
                   min(p.length) FILTER (WHERE p.length BETWEEN l.length * (1 - near) AND l.length * (1 + near)) AS shortest,
                   max(p.length) FILTER (WHERE p.length BETWEEN l.length * (1 - near) AND l.length * (1 + near)) AS longest,
                   percentile_cont(0.5) WITHIN GROUP (ORDER BY p.length) AS median
            FROM pause AS p
        ) AS c
        ORDER BY c.held DESC, abs(l.length - c.median), l.length LIMIT 1
    ) AS b;
    IF found.held >= usual * found.total AND found.total >= minimum
       AND NOT (weekly AND found.length BETWEEN 6 * day AND 8 * day)   -- said already
       -- Others are as rare: the days the tenant has at all are those days.
       AND NOT (SELECT count(DISTINCT u.at::date) BETWEEN 1 AND 1.25 * days FROM unnest(others) AS u (at)
                WHERE u.at >= (SELECT min(s.at) FROM unnest(starts) AS s (at)) AND u.at <= (SELECT max(s.at) FROM unnest(starts) AS s (at)))
    THEN
        kind := 'interval';
        value := format('%s days', round(found.length / day));
        held := found.held; total := found.total; chance := found.chance; evidence := found.evidence;
        said := CASE WHEN found.length < 1.25 * day THEN format('"%s" comes back nearly every day: %s of %s pauses were about a day', title, held, total)
                     ELSE format('"%s" comes back every %s or so: %s of %s pauses were between %s and %s days', title, value, held, total,
                                 round((found.shortest / day)::numeric, CASE WHEN found.length < 5 * day THEN 1 ELSE 0 END),
                                 round((found.longest / day)::numeric, CASE WHEN found.length < 5 * day THEN 1 ELSE 0 END)) END;
        RETURN NEXT;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.time_patterns(text, uuid[], timestamp[], boolean[], timestamp[], text, jsonb) IS
    'Regularities in time of the occasions of a concept (their first events, local starts, and whether the time of day is known; at least insight.minimum days), against the starts of the tenant''s other events: kind time_of_day, weekday or interval; value; held of total; chance: the probability of so much by chance, corrected for all that was looked at; the sentence; its events. The caller compares chance with insight.chance. Internal: find_insights calls it.';
