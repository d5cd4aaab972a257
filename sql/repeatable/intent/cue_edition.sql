-- cue_edition: a fingerprint of the cues, so that what was read with others is read anew.
CREATE OR REPLACE FUNCTION cognifold.cue_edition() RETURNS text
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT md5(string_agg(c.kind || ':' || c.pattern || ':' || c.weight, E'\n' ORDER BY c.kind, c.pattern)) FROM cognifold.intent_cue AS c
$$;
COMMENT ON FUNCTION cognifold.cue_edition() IS 'Fingerprint of intent_cue. Internal.';
