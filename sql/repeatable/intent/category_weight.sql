-- category_weight: the moving average of the answers a category has had, relaxed to a moment.
CREATE OR REPLACE FUNCTION cognifold.category_weight(tenant text, category text, clock timestamptz) RETURNS double precision
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN (
        SELECT coalesce((
            SELECT 1 + (f.w - 1) * exp(-least(ln(2::double precision) * (cognifold.hours(clock) - cognifold.hours(f.at)) / 24
                                              / cognifold.setting('intent.half_life', category_weight.tenant), 690))
            FROM cognifold.intent_feedback AS f
            WHERE f.tenant_id = category_weight.tenant AND f.category = category_weight.category AND f.at <= clock
            ORDER BY f.at DESC, f.event_id DESC
            LIMIT 1), 1));
END
$$;
COMMENT ON FUNCTION cognifold.category_weight(text, text, timestamptz) IS
    'w of a category at a moment: what the last answer left, relaxed to 1 with the half-life intent.half_life; 1 before the first. Internal.';
