-- recency: how fresh a memory is that lay idle for so many hours, 1 when it was just used.
CREATE OR REPLACE FUNCTION cognifold.recency(idle double precision, decay double precision) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN EXP(-LEAST(690, decay * GREATEST(0, idle)));
COMMENT ON FUNCTION cognifold.recency(double precision, double precision) IS
    'exp(-decay * hours), in (0, 1] (CogniFold, Eq. 1). idle: hours since the last access, or since it happened if never accessed. Internal.';
