-- note_assessment: keeps how what was looked at stands, in the place of how it stood before.
CREATE OR REPLACE FUNCTION cognifold.note_assessment(
    tenant text, node_id uuid, clock timestamptz, density double precision, pressure double precision, readiness double precision,
    cues integer, met double precision, category text, theta double precision
) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    INSERT INTO cognifold.intent_assessment AS a (tenant_id, node_id, as_of, density, pressure, readiness, cues, met, category, theta)
    VALUES (tenant, node_id, clock, density, pressure, readiness, cues, met, category, theta)
    ON CONFLICT ON CONSTRAINT intent_assessment_pkey DO UPDATE
    SET as_of = excluded.as_of, density = excluded.density, pressure = excluded.pressure, readiness = excluded.readiness, cues = excluded.cues,
        met = excluded.met, category = excluded.category, theta = excluded.theta;
END
$$;
COMMENT ON FUNCTION cognifold.note_assessment(text, uuid, timestamptz, double precision, double precision, double precision, integer, double precision, text, double precision) IS
    'Writes the row of intent_assessment of a concept, or of an event with a strand, as of clock. Internal: emit_intents and emit_strands call it.';
