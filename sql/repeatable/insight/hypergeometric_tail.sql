-- hypergeometric_tail: how likely a part drawn at random holds at least so many of the marked ones (Fisher's exact test, one side).
CREATE OR REPLACE FUNCTION cognifold.hypergeometric_tail(held integer, drawn integer, marked integer, total integer) RETURNS double precision
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
SET search_path FROM CURRENT
AS $$
DECLARE
    least_held CONSTANT integer := greatest(0, drawn + marked - total);
    most       CONSTANT integer := least(drawn, marked);
    term       double precision := 0;  -- ln of C(marked, i) C(total - marked, drawn - i), from the least i on, but for a constant
    whole      double precision := 0;
    part       double precision := 0;
BEGIN
    FOR i IN least_held .. most LOOP
        IF i > least_held THEN
            term := term + ln((marked - i + 1)::double precision * (drawn - i + 1)) - ln(i::double precision * (total - marked - drawn + i));
        END IF;
        whole := whole + exp(term);
        part := part + CASE WHEN i >= held THEN exp(term) ELSE 0 END;
    END LOOP;
    RETURN part / whole;
END
$$;
COMMENT ON FUNCTION cognifold.hypergeometric_tail(integer, integer, integer, integer) IS
    'P(X >= held), X being how many of the marked ones (of total) are among those drawn at random: the one-sided p-value of Fisher''s exact test. Up to some hundreds each. Internal.';
