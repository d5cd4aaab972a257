-- is_asked_for: whether a memory lies within what a recall is narrowed to; NULL narrows nothing.
CREATE OR REPLACE FUNCTION cognifold.is_asked_for(
    occurred_at timestamptz, actor text, source text, recorded_at timestamptz, memory_type text, privacy_level text, narrow cognifold.narrowing
) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- No SET clause: the planner inlines it where the stages of recall say it.
RETURN NOT (narrow).narrowed
    OR (((narrow).since IS NULL OR occurred_at >= (narrow).since) AND ((narrow).until IS NULL OR occurred_at < (narrow).until)
    AND ((narrow).as_of IS NULL OR occurred_at <= (narrow).as_of) AND ((narrow).known_at IS NULL OR recorded_at <= (narrow).known_at)
    AND ((narrow).actors IS NULL OR actor = ANY ((narrow).actors)) AND ((narrow).sources IS NULL OR source = ANY ((narrow).sources))
    AND ((narrow).memory_types IS NULL OR memory_type = ANY ((narrow).memory_types))
    AND ((narrow).privacy_levels IS NULL OR privacy_level = ANY ((narrow).privacy_levels)));
COMMENT ON FUNCTION cognifold.is_asked_for(timestamptz, text, text, timestamptz, text, text, cognifold.narrowing) IS
    'since <= occurred_at < until, occurred_at <= as_of, recorded_at <= known_at; actor, source, memory_type and privacy_level among those listed; each where it is not NULL. Kinds are seen to by the stages. Internal.';
