-- strand_standing: how dense a strand is at a moment, how much in it is unmet, and so how ready it is to become an intent.
CREATE OR REPLACE FUNCTION cognifold.strand_standing(
    tenant text, members uuid[], affinities double precision[], event_id uuid, deadline timestamptz, clock timestamptz, settings jsonb
) RETURNS TABLE (density double precision, pressure double precision, readiness double precision, cues integer, met double precision, voiced jsonb)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH telling AS MATERIALIZED (
        SELECT n.id, n.occurred_at, m.affinity, r.done,
               -- It keeps as patterns do, not as episodes: what several have told over weeks is more than each of them.
               cognifold.mass(ln(t.default_weight) + cognifold.decay_integral(strand_standing.tenant, 'semantic', n.occurred_at), d.decay) AS mass,
               1 - (1 - r.need) * power(1 - (settings ->> 'intent.sign')::double precision, r.signs)
                   * CASE WHEN n.id <> strand_standing.event_id OR deadline IS NULL THEN 1
                          ELSE 1 - least(1, (settings ->> 'intent.deadline')::double precision
                                            * power(0.5::double precision, least(greatest(cognifold.hours(deadline) - cognifold.hours(clock), 0) / 24
                                                                                 / (settings ->> 'intent.foresight')::double precision, 1000))) END AS need
        FROM unnest(members, affinities) AS m (id, affinity)
        JOIN cognifold.node AS n ON n.tenant_id = strand_standing.tenant AND n.id = m.id
        JOIN cognifold.cue_reading AS r ON r.tenant_id = n.tenant_id AND r.node_id = n.id
        JOIN cognifold.edge_type AS t ON t.type = 'grounds'
        CROSS JOIN (SELECT cognifold.decay_integral(strand_standing.tenant, 'semantic', clock) AS decay) AS d
    ), spoken AS (   -- what is done later takes its share off what was voiced before
        SELECT t.*, coalesce(exp(sum(ln(1 - least(t.done, 0.95))) OVER (ORDER BY t.occurred_at DESC, t.id DESC
                                                                        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)), 1) AS share
        FROM telling AS t
    ), summed AS (
        SELECT (1 - exp(-sum(s.mass ORDER BY s.occurred_at, s.id) / 2))
               * (0.5 + 0.5 * greatest(0, least(1, avg(s.affinity ORDER BY s.occurred_at, s.id) FILTER (WHERE s.id <> strand_standing.event_id)))) AS density,
               sum(s.need * s.mass * s.share ORDER BY s.occurred_at, s.id) AS unmet, sum(s.need * s.mass ORDER BY s.occurred_at, s.id) AS said,
               count(*) FILTER (WHERE s.need * s.share >= (settings ->> 'intent.cue')::double precision)::integer AS cues,
               jsonb_agg(jsonb_build_object('event', s.id, 'occurred_at', s.occurred_at, 'mass', s.mass, 'need', s.need, 'left', s.need * s.share)
                         ORDER BY s.occurred_at, s.id) AS voiced
        FROM spoken AS s
    )
    SELECT u.density, p.pressure,
           power(u.density, 1 - (settings ->> 'intent.cue_share')::double precision) * power(p.pressure, (settings ->> 'intent.cue_share')::double precision),
           u.cues, CASE WHEN u.said > 0 THEN 1 - u.unmet / u.said ELSE 0 END, u.voiced
    FROM summed AS u
    CROSS JOIN LATERAL (SELECT 1 - exp(-least(u.unmet / (settings ->> 'intent.pressure_scale')::double precision, 700)) AS pressure) AS p;
END
$$;
COMMENT ON FUNCTION cognifold.strand_standing(text, uuid[], double precision[], uuid, timestamptz, timestamptz, jsonb) IS
    'Density of a strand, (1 - exp(-M/2)) * (.5 + .5 * cohesion) with M the mass its events ground with, fading as patterns do, and cohesion their mean affinity to the event looked at; pressure and readiness as intent_pressure and emit_intents define them, words of lack and recurrence counted; each event with what it voices. Internal.';
