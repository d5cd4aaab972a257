-- trends: what has changed in how a concept recurs: its time of day, how often, and how it feels, where that is no chance.
--
-- Time of day and tone: occasions in order are halved, and Fisher's exact test asks whether what prevails in the later half is
-- there more often than a random half would hold it, times the pairs looked at. Frequency: between the first and the last day the
-- days of a steady stream lie in either half of the time alike (binomial, two-sided), and in proportion to what else the tenant
-- has in them. What the tenant's other events do, too, is no trend of the concept.
CREATE OR REPLACE FUNCTION cognifold.trends(
    tenant text, title text, events uuid[], moments timestamptz[], timed boolean[], tones real[], zone text, settings jsonb
) RETURNS TABLE (kind text, value text, held integer, total integer, chance double precision, said text, evidence uuid[])
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    minimum CONSTANT integer := settings -> 'insight.minimum';
    usual   CONSTANT double precision := settings -> 'insight.share';
    prior   CONSTANT double precision := settings -> 'insight.prior';
    bar     CONSTANT double precision := (settings ->> 'insight.chance')::double precision * (settings ->> 'insight.keep')::double precision;
    sample  CONSTANT integer := settings -> 'insight.background';
    feeling CONSTANT double precision := settings -> 'insight.tone';
    found   record;
    around  record;
BEGIN
    IF cardinality(events) < 2 * minimum THEN
        RETURN;
    END IF;

    -- 1. From one part of the day to another.
    SELECT h.*, 12 * cognifold.hypergeometric_tail(h.later_new, h.later, h.later_new + h.earlier_new, h.earlier + h.later) AS chance INTO found
    FROM (
        WITH occasion AS MATERIALIZED (
            SELECT o.event_id, o.at, cognifold.day_part(extract(epoch FROM (o.at AT TIME ZONE zone)::time)::double precision) AS part,
                   row_number() OVER (ORDER BY o.at, o.event_id) > count(*) OVER () / 2 AS is_later
            FROM unnest(events, moments, timed) AS o (event_id, at, timed) WHERE o.timed
        ), prevailing AS (
            SELECT mode() WITHIN GROUP (ORDER BY o.part) FILTER (WHERE NOT o.is_later) AS old_part, mode() WITHIN GROUP (ORDER BY o.part) FILTER (WHERE o.is_later) AS new_part
            FROM occasion AS o
        )
        SELECT p.old_part, p.new_part, count(*) FILTER (WHERE NOT o.is_later)::integer AS earlier, count(*) FILTER (WHERE o.is_later)::integer AS later,
               count(*) FILTER (WHERE NOT o.is_later AND o.part = p.old_part)::integer AS earlier_old,
               count(*) FILTER (WHERE NOT o.is_later AND o.part = p.new_part)::integer AS earlier_new,
               count(*) FILTER (WHERE o.is_later AND o.part = p.new_part)::integer AS later_new,
               min(o.at) AS first, min(o.at) FILTER (WHERE o.is_later) AS middle, max(o.at) AS last,
               array_agg(o.event_id ORDER BY o.at, o.event_id) FILTER (WHERE o.part = CASE WHEN o.is_later THEN p.new_part ELSE p.old_part END) AS evidence
        FROM occasion AS o CROSS JOIN prevailing AS p GROUP BY p.old_part, p.new_part
    ) AS h;
    IF found.old_part <> found.new_part AND found.earlier >= minimum AND found.earlier_old >= usual * found.earlier AND found.later_new >= usual * found.later
       AND found.chance <= bar
    THEN
        -- Did everything else move along?
        SELECT mode() WITHIN GROUP (ORDER BY o.part) FILTER (WHERE NOT o.is_later) AS old_part, mode() WITHIN GROUP (ORDER BY o.part) FILTER (WHERE o.is_later) AS new_part
        INTO around
        FROM (VALUES (false, found.first, found.middle), (true, found.middle, found.last)) AS h (is_later, begins, ends)
        CROSS JOIN LATERAL (
            SELECT h.is_later, cognifold.day_part(extract(epoch FROM (n.occurred_at AT TIME ZONE zone)::time)::double precision) AS part
            FROM (SELECT n.id, n.occurred_at FROM cognifold.node AS n
                  WHERE n.tenant_id = trends.tenant AND n.kind = 'event' AND n.occurred_at >= h.begins AND n.occurred_at < h.ends
                  ORDER BY n.occurred_at DESC, n.id DESC LIMIT sample) AS n
            WHERE n.id <> ALL (events)
        ) AS o;
        IF (around.old_part, around.new_part) IS DISTINCT FROM (found.old_part, found.new_part) THEN
            kind := 'shift'; value := found.old_part || ' to ' || found.new_part;
            held := found.earlier_old + found.later_new; total := found.earlier + found.later; chance := least(1, found.chance); evidence := found.evidence;
            said := format('"%s" moved from %ss to %ss: %s of %s times in the %s before %s, %s of %s in the %s since (%s)', title, found.old_part, found.new_part,
                           found.earlier_old, found.earlier, found.old_part, to_char(found.middle AT TIME ZONE zone, 'FMDD FMMonth YYYY'),
                           found.later_new, found.later, found.new_part, zone);
            RETURN NEXT;
        END IF;
    END IF;

    -- 2. More or less often. The first and the last day only mark the ends.
    SELECT h.*, greatest(h.earlier, h.later) AS most INTO found
    FROM (
        WITH date AS MATERIALIZED (
            SELECT DISTINCT ON (o.at::date) o.at, o.event_id
            FROM (SELECT o.event_id, o.at AT TIME ZONE zone AS at FROM unnest(events, moments) AS o (event_id, at)) AS o ORDER BY o.at::date, o.at, o.event_id
        ), span AS (
            SELECT min(d.at) AS first, max(d.at) AS last, min(d.at) + (max(d.at) - min(d.at)) / 2 AS middle FROM date AS d
        )
        SELECT s.first AT TIME ZONE zone AS first, s.middle AT TIME ZONE zone AS middle, s.last AT TIME ZONE zone AS last,
               count(*) FILTER (WHERE d.at > s.first AND d.at < s.middle)::integer AS earlier,
               count(*) FILTER (WHERE d.at >= s.middle AND d.at < s.last)::integer AS later,
               array_agg(d.event_id ORDER BY d.at) AS evidence
        FROM date AS d CROSS JOIN span AS s GROUP BY s.first, s.middle, s.last
    ) AS h;
    held := found.most; total := found.earlier + found.later;
    IF total >= 2 * minimum AND held >= (settings ->> 'insight.frequency')::double precision * (total - held)
       AND 2 * cognifold.binomial_tail(held, total, 0.5) <= bar
    THEN
        -- How much else there was in each half; of more than so many, by how long so many took.
        SELECT sum(o.number) FILTER (WHERE o.is_later = (found.later = found.most)) AS there, sum(o.number) AS anywhere INTO around
        FROM (
            SELECT h.is_later, CASE WHEN c.number < 10 * sample THEN c.number
                                    ELSE c.number * extract(epoch FROM h.ends - h.begins) / greatest(extract(epoch FROM c.last - h.begins), 1) END AS number
            FROM (VALUES (false, found.first, found.middle), (true, found.middle, found.last)) AS h (is_later, begins, ends)
            CROSS JOIN LATERAL (
                SELECT count(*) FILTER (WHERE n.id <> ALL (events)) AS number, max(n.occurred_at) AS last
                FROM (SELECT n.id, n.occurred_at FROM cognifold.node AS n
                      WHERE n.tenant_id = trends.tenant AND n.kind = 'event' AND n.occurred_at >= h.begins AND n.occurred_at < h.ends
                      ORDER BY n.occurred_at, n.id LIMIT 10 * sample) AS n
            ) AS c
        ) AS o;
        chance := least(1, 2 * cognifold.binomial_tail(held, total, greatest(0.5, (around.there + prior / 2) / (around.anywhere + prior))));
        kind := 'frequency'; value := CASE WHEN found.later = found.most THEN 'more' ELSE 'less' END; evidence := found.evidence;
        said := format('"%s" became %s frequent: on %s days from %s to %s, on %s days from then to %s', title, value, found.earlier + 1,
                       to_char(found.first AT TIME ZONE zone, 'FMDD FMMonth YYYY'), to_char(found.middle AT TIME ZONE zone, 'FMDD FMMonth YYYY'), found.later + 1,
                       to_char(found.last AT TIME ZONE zone, 'FMDD FMMonth YYYY'));
        RETURN NEXT;
    END IF;

    -- 3. From good to bad, or from bad to good: of the occasions that feel like anything.
    SELECT h.*, 2 * CASE WHEN h.later_good * h.earlier < h.earlier_good * h.later
                         THEN cognifold.hypergeometric_tail(h.later - h.later_good, h.later, h.earlier + h.later - h.earlier_good - h.later_good, h.earlier + h.later)
                         ELSE cognifold.hypergeometric_tail(h.later_good, h.later, h.earlier_good + h.later_good, h.earlier + h.later) END AS chance
    INTO found
    FROM (
        SELECT count(*) FILTER (WHERE NOT o.is_later)::integer AS earlier, count(*) FILTER (WHERE o.is_later)::integer AS later,
               count(*) FILTER (WHERE NOT o.is_later AND o.tone > 0)::integer AS earlier_good, count(*) FILTER (WHERE o.is_later AND o.tone > 0)::integer AS later_good,
               min(o.at) FILTER (WHERE o.is_later) AS middle, array_agg(o.event_id ORDER BY o.at, o.event_id) AS evidence
        FROM (SELECT o.*, row_number() OVER (ORDER BY o.at, o.event_id) > count(*) OVER () / 2 AS is_later
              FROM unnest(events, moments, tones) AS o (event_id, at, tone) WHERE abs(o.tone) >= feeling) AS o
    ) AS h;
    IF found.earlier >= minimum AND found.chance <= bar
       AND (found.earlier_good >= usual * found.earlier AND found.later - found.later_good >= usual * found.later
            OR found.earlier - found.earlier_good >= usual * found.earlier AND found.later_good >= usual * found.later)
    THEN
        kind := 'tone'; value := CASE WHEN found.earlier_good * 2 > found.earlier THEN 'good to bad' ELSE 'bad to good' END;
        total := found.earlier + found.later; chance := least(1, found.chance); evidence := found.evidence;
        held := CASE value WHEN 'good to bad' THEN found.earlier_good + found.later - found.later_good ELSE found.earlier - found.earlier_good + found.later_good END;
        said := format('"%s" turned from %s: %s of %s times felt good before %s, %s of %s since', title, value, found.earlier_good, found.earlier,
                       to_char(found.middle AT TIME ZONE zone, 'FMDD FMMonth YYYY'), found.later_good, found.later);
        RETURN NEXT;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.trends(text, text, uuid[], timestamptz[], boolean[], real[], text, jsonb) IS
    'Trends in the occasions of a concept (their first events, when, whether the time of day is known, their mean emotional weight; at least twice insight.minimum): kind shift, frequency or tone; value; held of total; chance: the probability of so much by chance, corrected for all that was looked at; the sentence; its events. Internal: find_insights calls it.';
