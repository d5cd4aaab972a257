-- working_score: what the working tier of a context window goes by.
CREATE OR REPLACE FUNCTION cognifold.working_score(
    pagerank double precision, recency double precision, kind text, settings jsonb
) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (settings ->> 'context.working_pagerank')::double precision * pagerank
       + (settings ->> 'context.working_recency')::double precision * recency
       + (settings ->> 'context.working_type')::double precision
         * CASE kind WHEN 'concept' THEN (settings ->> 'context.concept_type')::double precision
                     WHEN 'intent' THEN (settings ->> 'context.intent_type')::double precision
                     ELSE 0 END;
COMMENT ON FUNCTION cognifold.working_score(double precision, double precision, text, jsonb) IS
    '.5 pagerank + .3 recency + .2 type (concept 1, intent .8, event 0) (CogniFold). Internal.';
