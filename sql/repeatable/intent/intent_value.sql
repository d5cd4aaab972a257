-- intent_value: what showing an intent now is worth: the chance that it is welcome, times how ready, times how urgent it is.
CREATE OR REPLACE FUNCTION cognifold.intent_value(
    readiness double precision, acceptance double precision, deadline timestamptz, clock timestamptz, foresight double precision
) RETURNS double precision
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT acceptance * coalesce(readiness, 1)
           * CASE WHEN deadline IS NULL THEN 1
                  ELSE 1 + pg_catalog.power(0.5::double precision, least(greatest(cognifold.hours(deadline) - cognifold.hours(clock), 0) / 24 / foresight, 1000)) END
$$;
COMMENT ON FUNCTION cognifold.intent_value(double precision, double precision, timestamptz, timestamptz, double precision) IS
    'Expected value of an intent, in [0, 2]: acceptance of its category (category_acceptance) * readiness it was emitted with (1 where a user stated it) * urgency, 1 + 2^(-d / foresight) with d days to its deadline: 1 without one, 1.5 intent.foresight days before, 2 from it on. Internal: the view intent and ranked_intents show it.';
