-- mass: what a stored potential weighs once the forgetting up to a moment is taken off.
CREATE OR REPLACE FUNCTION cognifold.mass(potential double precision, decay double precision) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- exp underflows with an error in SQL; 1e-300 and 1e300 stand for nothing and for too much. (LEAST skips NULL.)
RETURN CASE WHEN potential IS NOT NULL AND decay IS NOT NULL THEN EXP(GREATEST(-690, LEAST(690, potential - decay))) END;
COMMENT ON FUNCTION cognifold.mass(double precision, double precision) IS
    'exp(potential - D(as_of)), clamped to [1e-300, 1e300], NULL where either is; an edge''s weight is least(1, mass).';
