-- logaddexp: ln(exp(a) + exp(b)) without overflow: two masses added where only their logarithms are kept.
CREATE OR REPLACE FUNCTION cognifold.logaddexp(a double precision, b double precision) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN a IS NULL THEN b
    WHEN b IS NULL THEN a
    WHEN a = b THEN a + LN(2::double precision)  -- two infinities have no difference
    WHEN GREATEST(a, b) - 700 > LEAST(a, b) THEN GREATEST(a, b)  -- the smaller is far below what a double can add
    ELSE GREATEST(a, b) + LN(1 + EXP(-ABS(a - b)))
END;
COMMENT ON FUNCTION cognifold.logaddexp(double precision, double precision) IS
    'ln(exp(a) + exp(b)), exact and free of overflow; NULL stands for a mass of zero.';
