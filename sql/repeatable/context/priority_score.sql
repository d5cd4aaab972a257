-- priority_score: CogniFold's Eq. 1, how much a memory matters at a moment, from its parts.
CREATE OR REPLACE FUNCTION cognifold.priority_score(
    pagerank double precision, recency double precision, access double precision, urgency double precision, settings jsonb
) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ((settings ->> 'priority.weight_pagerank')::double precision * pagerank
        + (settings ->> 'priority.weight_recency')::double precision * recency
        + (settings ->> 'priority.weight_access')::double precision * access) * urgency;
COMMENT ON FUNCTION cognifold.priority_score(double precision, double precision, double precision, double precision, jsonb) IS
    '(.4 pagerank + .4 recency + .2 access) * urgency (CogniFold, Eq. 1). Internal.';
