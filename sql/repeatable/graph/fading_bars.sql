-- fading_bars: the potential below which an edge has faded at a moment, for each of the two rates.
CREATE OR REPLACE FUNCTION cognifold.fading_bars(tenant text, as_of timestamptz) RETURNS TABLE (rate text, bar double precision)
LANGUAGE sql STABLE ROWS 2
SET search_path FROM CURRENT
AS $$
    SELECT r.rate, ln(cognifold.setting('edge.fade', tenant)) + cognifold.decay_integral(tenant, r.rate, as_of)
    FROM (VALUES ('episodic'), ('semantic')) AS r (rate)
$$;
COMMENT ON FUNCTION cognifold.fading_bars(text, timestamptz) IS
    'ln(edge.fade) + D(as_of) for each rate: mass(potential) < edge.fade exactly where potential is below it. Internal.';
