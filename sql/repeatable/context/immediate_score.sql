-- immediate_score: what the immediate tier of a context window goes by.
CREATE OR REPLACE FUNCTION cognifold.immediate_score(
    recency double precision, urgency double precision, settings jsonb
) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (settings ->> 'context.immediate_recency')::double precision * recency
       + (settings ->> 'context.immediate_urgency')::double precision * (urgency - 1);
COMMENT ON FUNCTION cognifold.immediate_score(double precision, double precision, jsonb) IS '.7 recency + .3 (urgency - 1) (CogniFold). Internal.';
