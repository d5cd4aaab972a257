-- near_vectors: the memories whose vectors are nearest to a question's, nearest first.
CREATE OR REPLACE FUNCTION cognifold.near_vectors(
    tenant text, model_id smallint, question halfvec, narrow cognifold.narrowing, depth integer
) RETURNS TABLE (node_id uuid, cosine double precision)
LANGUAGE plpgsql STABLE ROWS 100
SET search_path FROM CURRENT
SET plan_cache_mode = force_custom_plan  -- a plan made for the average tenant is several times slower for a large one
AS $$
#variable_conflict use_variable
BEGIN
    IF question IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT e.node_id, 1 - (e.vector <=> question)
    FROM cognifold.embedding AS e
    WHERE e.tenant_id = tenant AND e.model_id = model_id AND e.kind = ANY ((narrow).kinds)
      AND (NOT (narrow).narrowed OR EXISTS (
            SELECT FROM cognifold.node AS n
            WHERE n.tenant_id = tenant AND n.id = e.node_id
              AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, narrow)))
    ORDER BY e.vector <=> question, e.node_id
    LIMIT depth;
END
$$;
COMMENT ON FUNCTION cognifold.near_vectors(text, smallint, halfvec, cognifold.narrowing, integer) IS
    'The depth memories within the narrowing with the greatest cosine to the question. Internal: a stage of recall.';
