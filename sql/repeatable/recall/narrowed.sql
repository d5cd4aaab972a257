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
    known_kinds  CONSTANT text[] := ARRAY['event', 'concept', 'intent', 'time'];
    known_types  CONSTANT text[] := ARRAY['episodic', 'semantic', 'procedural', 'associative'];
    known_levels CONSTANT text[] := ARRAY['private', 'shared', 'public'];
    wrong        record;
BEGIN
    IF NOT kinds <@ known_kinds OR NOT memory_types <@ known_types OR NOT privacy_levels <@ known_levels THEN
        SELECT w.* INTO wrong
        FROM (VALUES (1, 'kinds', kinds, known_kinds), (2, 'memory_types', memory_types, known_types), (3, 'privacy_levels', privacy_levels, known_levels))
             AS w (place, argument, given, allowed)
        WHERE NOT w.given <@ w.allowed ORDER BY w.place LIMIT 1;
        RAISE EXCEPTION 'recall: % = % holds an unknown %', wrong.argument, wrong.given, replace(rtrim(wrong.argument, 's'), '_', ' ')
            USING ERRCODE = 'CF010', HINT = format('Use %s.', array_to_string(wrong.allowed, ', '));
    END IF;
    PERFORM cognifold.refused_to_cleared(known_at);
    RETURN (CASE WHEN kinds IS NULL THEN ARRAY['event', 'concept', 'intent'] ELSE ARRAY(SELECT DISTINCT k.kind FROM unnest(kinds) AS k (kind)) END, since, until, as_of, known_at, actors, sources, memory_types, privacy_levels,
            num_nonnulls(since, until, as_of, known_at, actors, sources, memory_types, privacy_levels) > 0)::cognifold.narrowing;
END
$$;
COMMENT ON FUNCTION cognifold.narrowed(text[], timestamptz, timestamptz, timestamptz, timestamptz, text[], text[], text[], text[]) IS
    'The arguments of a recall as one narrowing; CF010 names an unknown kind, memory type or privacy level. Internal.';
