-- former_nodes: concepts and intents that plans have altered since a moment, as they were known then.
CREATE OR REPLACE FUNCTION cognifold.former_nodes(tenant text, altered uuid[], narrow cognifold.narrowing)
RETURNS TABLE (
    id uuid, kind text, title text, content text, occurred_at timestamptz, emotional_weight real, vector halfvec
)
LANGUAGE plpgsql STABLE ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    IF altered IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT n.id, n.kind, n.title, n.content, n.occurred_at, n.emotional_weight,
           CASE n.kind WHEN 'concept' THEN cognifold.concept_vector_at(tenant, n.id, (narrow).known_at) END
    FROM cognifold.nodes_at(tenant, (narrow).known_at, altered) AS n
    WHERE n.kind = ANY ((narrow).kinds) AND n.merged_into IS NULL
      AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, narrow);
END
$$;
COMMENT ON FUNCTION cognifold.former_nodes(text, uuid[], cognifold.narrowing) IS
    'The altered nodes within the narrowing as known at its known_at, with the vector they had; none where altered is NULL. Internal: a stage of recall.';
