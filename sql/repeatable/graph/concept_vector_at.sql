-- concept_vector_at: the direction a concept had at a moment of transaction time: that of the evidence it was known to have.
CREATE OR REPLACE FUNCTION cognifold.concept_vector_at(tenant text, concept uuid, moment timestamptz) RETURNS halfvec
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    own   cognifold.embedding_model := cognifold.tenant_model(tenant);
    total vector;
BEGIN
    SELECT sum(b.vector::vector ORDER BY b.node_id) INTO total
    FROM (SELECT DISTINCT e.source_id FROM cognifold.edges_at(tenant, moment, concept) AS e
          WHERE e.target_id = concept AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred) AS v
    JOIN cognifold.embedding AS b ON b.tenant_id = tenant AND b.model_id = own.model_id AND b.kind = 'event' AND b.node_id = v.source_id;
    RETURN CASE WHEN vector_norm(total) > 0 THEN l2_normalize(total)::halfvec END;
END
$$;
COMMENT ON FUNCTION cognifold.concept_vector_at(text, uuid, timestamptz) IS
    'Mean direction of the events that were stated evidence for a concept as known at a moment of transaction time; NULL where none has a vector. Internal: recall calls it.';
