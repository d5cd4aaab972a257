-- decay_integral: D(at), how much forgetting has passed by a moment, at a tenant's episodic or semantic rate.
CREATE OR REPLACE FUNCTION cognifold.decay_integral(tenant text, rate text, at timestamptz) RETURNS double precision
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT c.cumulative
           + c.lambda * (cognifold.hours(at)
                         - CASE WHEN c.valid_from = '-infinity' THEN 0 ELSE cognifold.hours(c.valid_from) END)
    FROM cognifold.decay_clock AS c
    WHERE c.tenant_id = decay_integral.tenant AND c.rate = decay_integral.rate AND c.valid_from <= at
    ORDER BY c.valid_from DESC
    LIMIT 1
$$;
COMMENT ON FUNCTION cognifold.decay_integral(text, text, timestamptz) IS
    'D(at): the integral of the tenant''s decay rate (episodic or semantic) up to a moment, 0 at 1970-01-01 UTC (forward decay, Cormode et al., ICDE 2009). Dimensionless.';
