-- theta: the bar that a category's intents must reach at a moment.
CREATE OR REPLACE FUNCTION cognifold.theta(
    category text, as_of timestamptz DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS double precision
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    result   double precision;
BEGIN
    IF NOT EXISTS (SELECT FROM cognifold.intent_category AS c WHERE c.category = theta.category) THEN
        RAISE EXCEPTION 'there is no category %', coalesce(quote_literal(theta.category), 'NULL')
            USING ERRCODE = 'CF010', HINT = 'SELECT category, description FROM cognifold.intent_category lists them.';
    END IF;
    result := cognifold.category_theta(tenant, theta.category, coalesce(as_of, cognifold.now()));
    PERFORM cognifold.leave_tenant(previous);
    RETURN result;
END
$$;
COMMENT ON FUNCTION cognifold.theta(text, timestamptz, text) IS
    'The readiness an intent of a category must reach at as_of: clamp(intent.theta / w, intent.theta_floor, intent.theta_ceiling). w is the moving average of the answers, w := .7 w + .3 s with s = accept 1.5, modify 1.1, defer .8, reject .3, and relaxes to 1 with a half-life of 30 days, computed and never written: accepted categories fire earlier, rejected ones later, none is silenced for ever. All of these numbers are settings.';
