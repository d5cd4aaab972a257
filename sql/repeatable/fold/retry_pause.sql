-- retry_pause: how long an event whose fold has failed so often waits before it is tried again.
CREATE OR REPLACE FUNCTION cognifold.retry_pause(first double precision, attempts integer) RETURNS interval
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN MAKE_INTERVAL(secs => first * POWER(2, LEAST(GREATEST(attempts - 1, 0), 16)));
COMMENT ON FUNCTION cognifold.retry_pause(double precision, integer) IS
    'first (seconds, the setting fold.retry_delay) after the first attempt, doubled with each further one, at most sixteen times. Internal.';
