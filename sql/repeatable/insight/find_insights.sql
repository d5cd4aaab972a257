-- find_insights: what the evidence of some concepts says as of a moment, as operations that state it, state it again, or close what
-- no longer holds.
--
--   specific   recurring_statements; actor: nearly all of it is by one person, which is not so of the rest
--   general    time_patterns, trends
--   principle  shared_insights: the same of several concepts that are parts of one
--
-- A finding is stated where the probability of so much by chance is at most insight.chance, and kept up to insight.keep times that,
-- so that it does not come and go. Nothing is proposed for what is stated already as it is. What it costs follows the concepts
-- given: of each the latest insight.evidence events are read, and insight.background of the tenant's latest once.
CREATE OR REPLACE FUNCTION cognifold.find_insights(tenant text, concepts uuid[], as_of timestamptz) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    own_kinds CONSTANT text[] := ARRAY['actor', 'time_of_day', 'weekday', 'interval', 'shift', 'frequency', 'tone'];
    settings  jsonb := cognifold.settings(tenant);
    zone      text := (SELECT t.time_zone FROM cognifold.tenant AS t WHERE t.tenant_id = tenant);
    chance    CONSTANT double precision := settings -> 'insight.chance';
    minimum   CONSTANT integer := settings -> 'insight.minimum';
    others    jsonb;      -- the tenant's latest events: arrays ids, starts (local), actors
    subject   record;
    events    uuid[] := '{}';   -- that were read
    parents   uuid[];
    found     jsonb := '[]';
    stated    jsonb;
BEGIN
    -- 1. What else there is, to tell a concept's habits from the tenant's.
    SELECT jsonb_build_object('ids', coalesce(jsonb_agg(n.id ORDER BY n.occurred_at, n.id), '[]'),
                              'starts', coalesce(jsonb_agg(n.occurred_at AT TIME ZONE zone ORDER BY n.occurred_at, n.id), '[]'),
                              'actors', coalesce(jsonb_agg(n.actor ORDER BY n.occurred_at, n.id), '[]'))
    INTO others
    FROM (SELECT n.id, n.occurred_at, n.actor FROM cognifold.node AS n
          WHERE n.tenant_id = tenant AND n.kind = 'event' AND n.occurred_at <= as_of
          ORDER BY n.occurred_at DESC, n.id DESC LIMIT (settings ->> 'insight.background')::integer) AS n;

    -- 2. Each concept by its own evidence. Events less than insight.occasion apart are one occasion, at the time of its first.
    FOR subject IN
        WITH evidence AS MATERIALIZED (
            SELECT e.*,
                   e.occurred_at - make_interval(secs => 3600 * (settings ->> 'insight.occasion')::double precision)
                   < lag(e.occurred_at) OVER (PARTITION BY e.concept ORDER BY e.occurred_at, e.event_id) AS goes_on
            FROM cognifold.concept_evidence(tenant, concepts, as_of, (settings ->> 'insight.evidence')::integer) AS e
        ), numbered AS (
            SELECT e.*, count(*) FILTER (WHERE e.goes_on IS NOT TRUE) OVER (PARTITION BY e.concept ORDER BY e.occurred_at, e.event_id) AS occasion FROM evidence AS e
        ), occasion AS (
            SELECT o.concept, o.occasion, min(o.occurred_at) AS at, (array_agg(o.event_id ORDER BY o.occurred_at, o.event_id))[1] AS event_id,
                   (array_agg(o.occurred_precision ORDER BY o.occurred_at, o.event_id))[1] AS occurred_precision, avg(o.emotional_weight)::real AS tone
            FROM numbered AS o GROUP BY o.concept, o.occasion
        ), timed AS (
            SELECT o.concept, array_agg(o.event_id ORDER BY o.occasion) AS events, array_agg(o.at ORDER BY o.occasion) AS moments,
                   array_agg(o.at AT TIME ZONE zone ORDER BY o.occasion) AS starts, array_agg(o.occurred_precision = 'instant' ORDER BY o.occasion) AS timed,
                   array_agg(o.tone ORDER BY o.occasion) AS tones
            FROM occasion AS o WHERE o.occurred_precision IN ('instant', 'day') AND isfinite(o.at) GROUP BY o.concept
        )
        SELECT n.id, n.title, e.events, e.actors, e.tellers, coalesce(t.events, '{}') AS occasions, coalesce(t.moments, '{}') AS moments, coalesce(t.starts, '{}') AS starts,
               coalesce(t.timed, '{}') AS timed, coalesce(t.tones, '{}') AS tones, o.ids AS other_ids, o.starts AS other_starts, o.actors AS other_actors
        FROM (SELECT e.concept, array_agg(e.event_id ORDER BY e.occurred_at, e.event_id) AS events, array_agg(e.actor ORDER BY e.occurred_at, e.event_id) AS actors,
                     count(DISTINCT e.actor) AS tellers
              FROM evidence AS e GROUP BY e.concept) AS e
        CROSS JOIN LATERAL (
            SELECT n.id, n.title FROM cognifold.node AS n
            WHERE n.tenant_id = tenant AND n.id = e.concept AND n.kind = 'concept' AND n.merged_into IS NULL LIMIT 1
        ) AS n
        LEFT JOIN timed AS t ON t.concept = e.concept
        CROSS JOIN LATERAL (
            SELECT array_agg(u.id) AS ids, coalesce(array_agg(u.start) FILTER (WHERE isfinite(u.start)), '{}') AS starts, array_agg(u.actor) AS actors
            FROM ROWS FROM (jsonb_array_elements_text(others -> 'ids'), jsonb_array_elements_text(others -> 'starts'), jsonb_array_elements_text(others -> 'actors'))
                 AS r (id, start, actor)
            CROSS JOIN LATERAL (SELECT r.id::uuid AS id, r.start::timestamp AS start, r.actor) AS u
            WHERE u.id <> ALL (e.events)
        ) AS o
        ORDER BY n.id
    LOOP
        events := events || subject.events;
        found := found || coalesce((
            SELECT jsonb_agg(jsonb_build_object(
                       'node', subject.id, 'kind', f.kind, 'aspect', f.aspect, 'insight', f.said, 'abstraction_level', f.level,
                       'confidence', round(cognifold.wilson_bound(f.held, f.total)::numeric, 3), 'grounded_in', to_jsonb(f.evidence),
                       'figures', jsonb_strip_nulls(jsonb_build_object('held', f.held, 'total', f.total, 'value', f.value,
                                                                       'chance', CASE WHEN f.chance > 0 THEN round(f.chance::numeric, 6 - floor(log(f.chance))::integer) END)))
                       ORDER BY f.kind, f.aspect)
            FROM (
                SELECT NULL::uuid AS node, 'statement' AS kind, r.aspect, 'specific' AS level, r.value, r.held, r.total, 0::double precision AS chance, r.said, r.evidence
                FROM cognifold.recurring_statements(tenant, subject.events, as_of, zone, settings) AS r
                UNION ALL
                SELECT subject.id, 'actor', '', 'specific', a.actor, a.held, cardinality(subject.events), a.chance,
                       format('%s of %s events of "%s" are by %s', a.held, cardinality(subject.events), subject.title, a.actor), a.evidence
                FROM (SELECT s.actor, s.held, s.evidence,
                             o.voices * cognifold.binomial_tail(s.held, cardinality(subject.events), greatest(1.0 / o.voices, o.share)) AS chance, o.voices
                      FROM (SELECT u.actor, count(*)::integer AS held, array_agg(u.event_id ORDER BY u.place) AS evidence
                            FROM unnest(subject.events, subject.actors) WITH ORDINALITY AS u (event_id, actor, place)
                            WHERE u.actor IS NOT NULL GROUP BY u.actor ORDER BY 2 DESC, u.actor LIMIT 1) AS s
                      CROSS JOIN LATERAL (   -- of the others who else, and how many of them are by the same
                          SELECT count(DISTINCT u.actor) FILTER (WHERE u.actor <> s.actor) + 1 AS voices,
                                 (count(*) FILTER (WHERE u.actor = s.actor) + (settings ->> 'insight.prior')::double precision / 2)
                                 / (count(u.actor) + (settings ->> 'insight.prior')::double precision) AS share
                          FROM unnest(subject.other_actors) AS u (actor)
                      ) AS o
                      WHERE s.held >= minimum AND s.held >= (settings ->> 'insight.share')::double precision * cardinality(subject.events)) AS a
                WHERE a.voices > 1
                UNION ALL
                SELECT subject.id, p.kind, '', 'general', p.value, p.held, p.total, p.chance, p.said, p.evidence
                FROM cognifold.time_patterns(subject.title, subject.occasions, subject.starts, subject.timed, subject.other_starts, zone, settings) AS p
                UNION ALL
                SELECT subject.id, t.kind, '', 'general', t.value, t.held, t.total, t.chance, t.said, t.evidence
                FROM cognifold.trends(tenant, subject.title, subject.occasions, subject.moments, subject.timed, subject.tones, zone, settings) AS t
            ) AS f
            LEFT JOIN cognifold.insight_state AS i   -- what is stated already is given up less readily
                   ON i.tenant_id = tenant AND i.node_id = f.node AND i.kind = f.kind AND i.aspect = f.aspect AND i.closed_at IS NULL
                      AND i.figures ->> 'value' = f.value
            WHERE f.chance <= chance * CASE WHEN i.insight_id IS NULL THEN 1 ELSE (settings ->> 'insight.keep')::double precision END
        ), '[]');
    END LOOP;
    -- A statement is of whom it is stated, not of the concept it was met in; who moved is not usually at the time of either half.
    SELECT coalesce(jsonb_agg(f.finding ORDER BY f.place), '[]') INTO found
    FROM (
        SELECT DISTINCT ON (k.node, k.kind, k.aspect) k.finding, k.place
        FROM (SELECT CASE WHEN r.value ->> 'kind' = 'statement' THEN r.value - 'node' ELSE r.value END AS finding, r.place,
                     CASE WHEN r.value ->> 'kind' <> 'statement' THEN r.value ->> 'node' END AS node, r.value ->> 'kind' AS kind, r.value ->> 'aspect' AS aspect
              FROM jsonb_array_elements(found) WITH ORDINALITY AS r (value, place)) AS k
        WHERE NOT (k.kind = 'time_of_day' AND found @> jsonb_build_array(jsonb_build_object('node', k.node, 'kind', 'shift')))
        ORDER BY k.node, k.kind, k.aspect, k.place
    ) AS f;

    -- 3. What holds of several parts of one.
    parents := cognifold.parents_of(tenant, concepts);
    found := found || cognifold.shared_insights(tenant, parents, concepts, found, settings);

    -- 4. What stands of all these, and is not found, or is found to be otherwise. What was stated as of a later moment was
    -- stated knowing more: that stays.
    SELECT coalesce(jsonb_agg(to_jsonb(s) ORDER BY s.insight_id), '[]') INTO stated
    FROM (
        SELECT i.insight_id, i.node_id, i.kind, i.aspect, i.insight, i.confidence, i.derived_from, i.figures, i.as_of
        FROM cognifold.insight_state AS i
        WHERE i.tenant_id = tenant AND i.node_id = ANY (concepts) AND i.kind = ANY (own_kinds) AND i.closed_at IS NULL
        UNION ALL
        SELECT i.insight_id, i.node_id, i.kind, i.aspect, i.insight, i.confidence, i.derived_from, i.figures, i.as_of
        FROM cognifold.insight_state AS i
        WHERE i.tenant_id = tenant AND i.node_id = ANY (parents) AND i.kind = 'shared' AND i.closed_at IS NULL
        UNION ALL
        SELECT i.insight_id, i.node_id, i.kind, i.aspect, i.insight, i.confidence, i.derived_from, i.figures, i.as_of
        FROM (SELECT DISTINCT s.subject || '|' || s.attribute || '|' AS begins
              FROM unnest(events) AS e (id)
              CROSS JOIN LATERAL (SELECT s.subject, s.attribute FROM cognifold.state_statement AS s WHERE s.tenant_id = tenant AND s.event_id = e.id LIMIT 20) AS s) AS a
        JOIN cognifold.insight_state AS i
          ON i.tenant_id = tenant AND i.node_id IS NULL AND i.kind = 'statement' AND i.closed_at IS NULL
             AND i.aspect >= a.begins AND i.aspect < a.begins || '~' AND starts_with(i.aspect, a.begins)
    ) AS s;
    RETURN (
        SELECT coalesce(jsonb_agg(o.operation ORDER BY o.place, o.number), '[]')
        FROM (
            SELECT 1 AS place, r.number, jsonb_strip_nulls(r.value) || jsonb_build_object(
                       'op', 'ADD_INSIGHT', 'reasoning', format('%s of %s%s', r.value -> 'figures' ->> 'held', r.value -> 'figures' ->> 'total',
                                                                ', by chance: ' || (r.value -> 'figures' ->> 'chance'))) AS operation
            FROM jsonb_array_elements(found) WITH ORDINALITY AS r (value, number)
            WHERE NOT EXISTS (
                SELECT FROM jsonb_to_recordset(stated) AS s (node_id text, kind text, aspect text, insight text, derived_from jsonb, as_of timestamptz)
                WHERE s.node_id IS NOT DISTINCT FROM r.value ->> 'node' AND s.kind = r.value ->> 'kind' AND s.aspect = r.value ->> 'aspect'
                  AND (s.as_of > find_insights.as_of
                       OR s.insight = r.value ->> 'insight' AND s.derived_from @> (r.value -> 'grounded_in') AND s.derived_from <@ (r.value -> 'grounded_in')))
            UNION ALL
            SELECT 2, s.number, jsonb_build_object('op', 'CLOSE_INSIGHT', 'insight_id', s.value -> 'insight_id',
                                                   'reasoning', format('its evidence no longer bears it: %s', s.value ->> 'insight'))
            FROM jsonb_array_elements(stated) WITH ORDINALITY AS s (value, number)
            WHERE (s.value ->> 'as_of')::timestamptz <= find_insights.as_of AND NOT EXISTS (
                SELECT FROM jsonb_to_recordset(found) AS r (node text, kind text, aspect text)
                WHERE r.node IS NOT DISTINCT FROM s.value ->> 'node_id' AND r.kind = s.value ->> 'kind' AND r.aspect = s.value ->> 'aspect')
        ) AS o);
END
$$;
COMMENT ON FUNCTION cognifold.find_insights(text, uuid[], timestamptz) IS
    'Operations (ADD_INSIGHT, CLOSE_INSIGHT) for what the latest evidence of some concepts says as of a moment: recurring statements and nearly sole actors (specific); time of day, weekday, interval, and shifts of time of day, frequency or tone (general), each with the probability of so much by chance at most insight.chance; what the parts of a concept have in common (principle). Local times are of the tenant''s time zone. An empty array where everything stands as it is. Internal: a step of consolidate.';
