-- binomial_tail: how likely at least so many of so many trials succeed by chance.
CREATE OR REPLACE FUNCTION cognifold.binomial_tail(held integer, total integer, share double precision) RETURNS double precision
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
SET search_path FROM CURRENT
AS $$
DECLARE
    term  double precision := 0;  -- ln of the probability of exactly i successes
    total_chance double precision := 0;
BEGIN
    IF held <= 0 OR share >= 1 THEN
        RETURN 1;
    ELSIF held > total OR share <= 0 THEN
        RETURN 0;
    END IF;
    FOR i IN 1 .. held LOOP
        term := term + ln((total - i + 1)::double precision / i);
    END LOOP;
    term := term + held * ln(share) + (total - held) * ln(1 - share);
    FOR i IN held .. total LOOP
        total_chance := total_chance + exp(greatest(term, -700));
        term := term + CASE WHEN i < total THEN ln((total - i)::double precision / (i + 1)) + ln(share) - ln(1 - share) ELSE 0 END;
    END LOOP;
    RETURN least(1, total_chance);
END
$$;
COMMENT ON FUNCTION cognifold.binomial_tail(integer, integer, double precision) IS
    'P(X >= held) for a binomial X of total trials that each succeed with probability share: exact, for small numbers too. Internal.';
