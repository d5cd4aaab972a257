-- logsumexp: ln of a sum of masses given by their logarithms.
CREATE OR REPLACE AGGREGATE cognifold.logsumexp(double precision) (
    SFUNC = cognifold.logaddexp,
    STYPE = double precision,
    PARALLEL = SAFE
);
COMMENT ON AGGREGATE cognifold.logsumexp(double precision) IS 'ln(sum(exp(x))) over rows, free of overflow; NULL over none.';
