-- read_cues: reads the cues of a concept's latest evidence that has not been read with the present ones.
CREATE OR REPLACE FUNCTION cognifold.read_cues(tenant text, concept uuid, clock timestamptz, settings jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    PERFORM cognifold.read_events(read_cues.tenant, ARRAY(SELECT v.event_id FROM cognifold.latest_evidence(read_cues.tenant, concept, clock, settings) AS v));
END
$$;
COMMENT ON FUNCTION cognifold.read_cues(text, uuid, timestamptz, jsonb) IS 'read_events for a concept''s latest evidence. Internal.';
