-- narrowed: what the arguments of a recall narrow it to, checked, as one value.
CREATE OR REPLACE FUNCTION cognifold.narrowed(
    kinds text[], since timestamptz, until timestamptz, as_of timestamptz, known_at timestamptz, actors text[], sources text[],
    memory_types text[], privacy_levels text[]
) RETURNS cognifold.narrowing
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    argument text;
    given    text[];
    allowed  text[];
BEGIN
    FOR argument, given, allowed IN
        VALUES ('kinds', kinds, ARRAY['event', 'concept', 'intent', 'time']),
               ('memory_types', memory_types, ARRAY['episodic', 'semantic', 'procedural', 'associative']),
               ('privacy_levels', privacy_levels, ARRAY['private', 'shared', 'public'])
    LOOP
        IF NOT given <@ allowed THEN
            RAISE EXCEPTION 'recall: % = % holds an unknown %', argument, given, replace(rtrim(argument, 's'), '_', ' ')
                USING ERRCODE = 'CF010', HINT = format('Use %s.', array_to_string(allowed, ', '));
        END IF;
    END LOOP;
    RETURN (CASE WHEN kinds IS NULL THEN ARRAY['event', 'concept', 'intent'] ELSE ARRAY(SELECT DISTINCT k.kind FROM unnest(kinds) AS k (kind)) END, since, until, as_of, known_at, actors, sources, memory_types, privacy_levels,
            num_nonnulls(since, until, as_of, known_at, actors, sources, memory_types, privacy_levels) > 0)::cognifold.narrowing;
END
$$;
COMMENT ON FUNCTION cognifold.narrowed(text[], timestamptz, timestamptz, timestamptz, timestamptz, text[], text[], text[], text[]) IS
    'The arguments of a recall as one narrowing; CF010 names an unknown kind, memory type or privacy level. Internal.';
