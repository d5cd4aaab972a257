-- day_part: what people call a time of day.
CREATE OR REPLACE FUNCTION cognifold.day_part(seconds double precision) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- No SET clause: the planner inlines it.
AS $$
    SELECT CASE WHEN seconds < 5 * 3600 OR seconds >= 22 * 3600 THEN 'night' WHEN seconds < 12 * 3600 THEN 'morning'
                WHEN seconds < 17 * 3600 THEN 'afternoon' ELSE 'evening' END
$$;
COMMENT ON FUNCTION cognifold.day_part(double precision) IS
    'morning (from 5:00), afternoon (from 12:00), evening (from 17:00) or night (from 22:00) by the seconds since midnight. Internal.';
