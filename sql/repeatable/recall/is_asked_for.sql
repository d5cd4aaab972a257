-- is_asked_for: whether a memory lies within what a recall is narrowed to; NULL narrows nothing.
CREATE OR REPLACE FUNCTION cognifold.is_asked_for(
    occurred_at timestamptz, actor text, source text, recorded_at timestamptz,
    since timestamptz, until timestamptz, as_of timestamptz, known_at timestamptz, actors text[], sources text[]
) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- No SET clause: the planner inlines it where recall says it.
RETURN (since IS NULL OR occurred_at >= since) AND (until IS NULL OR occurred_at < until)
   AND (as_of IS NULL OR occurred_at <= as_of) AND (known_at IS NULL OR recorded_at <= known_at)
   AND (actors IS NULL OR actor = ANY (actors)) AND (sources IS NULL OR source = ANY (sources));
COMMENT ON FUNCTION cognifold.is_asked_for(timestamptz, text, text, timestamptz, timestamptz, timestamptz, timestamptz, timestamptz, text[], text[]) IS
    'since <= occurred_at < until, occurred_at <= as_of, recorded_at <= known_at, actor among actors, source among sources, each where it is not NULL. Internal.';
