-- intent_pressure: how much of what a concept's events say is wanted, at a moment, and not yet done.
--
-- Each live event voices a need n in [0, 1]: its cues, of which only the share intent.aside counts where their sentences name
-- nothing that two of the concept's events share; and a deadline that nothing has met. A later event that says d is done
-- takes the share d off everything voiced before it. What is left, weighed by each event's mass, is U; pressure = 1 - exp(-U / scale).
CREATE OR REPLACE FUNCTION cognifold.intent_pressure(
    tenant text, concept uuid, since timestamptz, clock timestamptz, settings jsonb
) RETURNS TABLE (pressure double precision, met double precision, cues integer, voiced jsonb, completion uuid, deadline_node uuid, deadline timestamptz)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    zone text := (SELECT z.time_zone FROM cognifold.tenant AS z WHERE z.tenant_id = intent_pressure.tenant);
BEGIN
    RETURN QUERY
    WITH evidence AS MATERIALIZED (
        SELECT v.event_id, v.occurred_at, v.mass, r.done,
               r.need * CASE WHEN EXISTS (
                            SELECT FROM cognifold.concept_lexeme AS l
                            WHERE l.tenant_id = intent_pressure.tenant AND l.node_id = concept AND l.lexeme = ANY (r.about) AND l.event_count >= 2)
                        THEN 1 ELSE (settings ->> 'intent.aside')::double precision END AS need
        FROM cognifold.latest_evidence(intent_pressure.tenant, concept, clock, settings) AS v
        JOIN cognifold.cue_reading AS r ON r.tenant_id = intent_pressure.tenant AND r.node_id = v.event_id
        WHERE v.occurred_at > since
    ), due AS MATERIALIZED (   -- the deadlines each event names that are ahead, or not long past
        SELECT v.event_id, t.id AS time_id, m.moment, x.passed_at,
               -- It presses more the nearer it is, and twice as much in the end, as a priority's urgency does.
               least(1, (settings ->> 'intent.deadline')::double precision
                     * power(0.5::double precision, least(greatest(x.hours, 0) / 24 / (settings ->> 'intent.foresight')::double precision, 1000))
                     * (1 + CASE WHEN x.passed_at > clock AND x.hours < 24 THEN 1 - greatest(x.hours, 0) / 24 ELSE 0 END)) AS need
        FROM evidence AS v
        JOIN cognifold.graph_edge AS e ON e.tenant_id = intent_pressure.tenant AND e.target_id = v.event_id AND e.type = 'deadline_for'
        JOIN cognifold.node AS t ON t.tenant_id = e.tenant_id AND t.id = e.source_id
        CROSS JOIN LATERAL (SELECT cognifold.deadline_moment(e.metadata, t.occurred_at, t.occurred_precision, zone, clock) AS moment) AS m
        CROSS JOIN LATERAL (
            SELECT cognifold.precision_end(m.moment, t.occurred_precision) AS passed_at,
                   cognifold.hours(m.moment) - cognifold.hours(clock) AS hours
        ) AS x
        WHERE cognifold.hours(x.passed_at) + (settings ->> 'intent.expiry')::double precision > cognifold.hours(clock)
    ), spoken AS (
        SELECT v.event_id, v.occurred_at, v.mass, v.done, v.need AS worded, 1 - (1 - v.need) * (1 - coalesce(max(d.need), 0)) AS need,
               coalesce(exp(sum(ln(1 - least(v.done, 0.95))) OVER (ORDER BY v.occurred_at DESC, v.event_id DESC
                                                                   ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)), 1) AS share
        FROM evidence AS v LEFT JOIN due AS d ON d.event_id = v.event_id
        GROUP BY v.event_id, v.occurred_at, v.mass, v.done, v.need
    ), summed AS (
        SELECT coalesce(sum(s.need * s.mass * s.share ORDER BY s.occurred_at, s.event_id), 0) AS unmet,
               coalesce(sum(s.need * s.mass ORDER BY s.occurred_at, s.event_id), 0) AS said,
               -- A date alone is no need: what is missing for it, strands tell.
               count(*) FILTER (WHERE s.worded * s.share >= (settings ->> 'intent.cue')::double precision)::integer AS cues,
               coalesce(jsonb_agg(jsonb_build_object('event', s.event_id, 'occurred_at', s.occurred_at, 'mass', s.mass, 'need', s.need, 'left', s.need * s.share)
                                  ORDER BY s.occurred_at, s.event_id), '[]') AS voiced,
               (array_agg(s.event_id ORDER BY s.occurred_at DESC, s.event_id DESC) FILTER (WHERE s.done >= (settings ->> 'intent.cue')::double precision))[1] AS completion
        FROM spoken AS s
    )
    SELECT 1 - exp(-least(u.unmet / (settings ->> 'intent.pressure_scale')::double precision, 700)),
           CASE WHEN u.said > 0 THEN 1 - u.unmet / u.said ELSE 0 END, u.cues, u.voiced, u.completion, f.time_id, f.moment
    FROM summed AS u
    LEFT JOIN LATERAL (
        SELECT d.time_id, d.moment FROM due AS d JOIN spoken AS s ON s.event_id = d.event_id
        WHERE d.passed_at > clock AND s.need * s.share >= (settings ->> 'intent.cue')::double precision
        ORDER BY d.passed_at, d.moment DESC, d.time_id LIMIT 1
    ) AS f ON true;
END
$$;
COMMENT ON FUNCTION cognifold.intent_pressure(text, uuid, timestamptz, timestamptz, jsonb) IS
    'Pressure of a concept''s unmet needs in [0, 1) from its live events after since; met, the share of what was voiced that later events say is done; how many events still voice something in words; each event with its mass, need and what is left of it; the last event that says something is done; the earliest deadline ahead. Internal.';
