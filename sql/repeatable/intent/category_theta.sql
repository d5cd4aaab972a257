-- category_theta: the threshold of a category at a moment.
CREATE OR REPLACE FUNCTION cognifold.category_theta(tenant text, category text, clock timestamptz) RETURNS double precision
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN (
        SELECT greatest(cognifold.setting('intent.theta_floor', category_theta.tenant),
                        least(cognifold.setting('intent.theta_ceiling', category_theta.tenant),
                              cognifold.setting('intent.theta', category_theta.tenant)
                              / cognifold.category_weight(category_theta.tenant, category_theta.category, clock))));
END
$$;
COMMENT ON FUNCTION cognifold.category_theta(text, text, timestamptz) IS 'clamp(theta / w) of a category at a moment (see theta). Internal.';
