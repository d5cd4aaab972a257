-- precision_end: when a moment of a given precision is over: a day at its end, an instant at once.
CREATE OR REPLACE FUNCTION cognifold.precision_end(moment timestamptz, "precision" text) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    SELECT CASE "precision" WHEN 'instant' THEN moment
                            WHEN 'day' THEN moment + interval '24 hours'
                            WHEN 'month' THEN moment + interval '31 days'
                            ELSE moment + interval '366 days' END
$$;
COMMENT ON FUNCTION cognifold.precision_end(timestamptz, text) IS 'The end of a moment stated as an instant, day, month or year that begins then (a month of 31 days, a year of 366). Internal.';
