-- insight_fault: what is wrong with an operation that states or closes an insight, or NULL.
CREATE OR REPLACE FUNCTION cognifold.insight_fault(tenant text, operation jsonb, proposer text) RETURNS text
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    longest CONSTANT integer := 1000;
BEGIN
    IF proposer NOT IN ('consolidate', 'user') THEN
        RETURN format('insights are stated by consolidation and by users; not by proposer %L', proposer);
    ELSIF operation ->> 'op' = 'CLOSE_INSIGHT' THEN
        RETURN CASE WHEN jsonb_typeof(operation -> 'insight_id') <> 'string' THEN NULL  -- said elsewhere
                    WHEN operation ->> 'insight_id' IS NULL OR NOT cognifold.is_uuid(operation ->> 'insight_id') OR NOT EXISTS (
                        SELECT FROM cognifold.insight_state AS i
                        WHERE i.tenant_id = insight_fault.tenant AND i.insight_id = (operation ->> 'insight_id')::uuid AND i.closed_at IS NULL)
                    THEN format('insight_id %L is not an insight of this tenant that holds', operation ->> 'insight_id') END;
    END IF;
    RETURN LEAST(
        CASE WHEN coalesce(operation ->> 'insight', '') !~ '\S' THEN 'an insight needs a text, "insight"'
             WHEN length(operation ->> 'insight') > longest
             THEN format('an insight has at most %s characters; this one has %s', longest, length(operation ->> 'insight')) END,
        CASE WHEN coalesce(operation ->> 'kind', '') !~ '^[a-z_]{1,63}$'
             THEN format('kind %L is not a word of small letters (at most 63)', left(coalesce(operation ->> 'kind', 'NULL'), 100)) END,
        CASE WHEN octet_length(operation ->> 'aspect') > longest THEN format('aspect has more than %s bytes', longest) END,
        CASE WHEN coalesce(operation ->> 'abstraction_level', '') NOT IN ('specific', 'general', 'principle')
             THEN format('abstraction_level %L is not specific, general or principle', coalesce(operation ->> 'abstraction_level', 'NULL')) END,
        CASE WHEN CASE jsonb_typeof(operation -> 'confidence') WHEN 'number' THEN (operation ->> 'confidence')::numeric NOT BETWEEN 0 AND 1 ELSE true END
             THEN format('confidence %s is not a number in [0, 1]', left(coalesce((operation -> 'confidence')::text, 'NULL'), 100)) END,
        CASE WHEN coalesce(jsonb_typeof(operation -> 'figures'), 'null') NOT IN ('null', 'object') THEN 'figures is not a JSON object' END,
        CASE WHEN CASE jsonb_typeof(operation -> 'grounded_in') WHEN 'array' THEN jsonb_array_length(operation -> 'grounded_in') = 0 ELSE true END
             THEN 'an insight needs evidence: name events or concepts in grounded_in' END);
END
$$;
COMMENT ON FUNCTION cognifold.insight_fault(text, jsonb, text) IS
    'The first fault of an ADD_INSIGHT or CLOSE_INSIGHT by its own fields; NULL if there is none. Internal: operation_faults calls it.';
