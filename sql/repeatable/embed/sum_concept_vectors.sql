-- sum_concept_vectors: makes the vectors of all concepts of a tenant from those that a model made of their evidence.
CREATE OR REPLACE FUNCTION cognifold.sum_concept_vectors(tenant text, model_id smallint, dimensions integer) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    WITH evidence AS (
        SELECT DISTINCT e.target_id, e.source_id
        FROM cognifold.graph_edge AS e
        WHERE e.tenant_id = tenant AND e.target_kind = 'concept' AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred
    ), summed AS (
        SELECT v.target_id, sum(b.vector::vector ORDER BY b.node_id) AS total, count(*)::integer AS number
        FROM evidence AS v
        JOIN cognifold.embedding AS b ON b.tenant_id = tenant AND b.model_id = sum_concept_vectors.model_id AND b.kind = 'event' AND b.node_id = v.source_id
        GROUP BY v.target_id
    )
    UPDATE cognifold.concept_state AS c
    SET vector_sum = s.total, vector_count = coalesce(s.number, 0)
    FROM cognifold.concept_state AS k
    LEFT JOIN summed AS s ON s.target_id = k.node_id
    WHERE k.tenant_id = tenant AND c.tenant_id = tenant AND c.node_id = k.node_id;
    INSERT INTO cognifold.embedding AS e (tenant_id, model_id, kind, node_id, dimensions, vector)
    SELECT tenant, model_id, 'concept', c.node_id, dimensions, l2_normalize(c.vector_sum)::halfvec
    FROM cognifold.concept_state AS c
    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = c.node_id AND n.merged_into IS NULL
    WHERE c.tenant_id = tenant AND vector_norm(c.vector_sum) > 0
    ON CONFLICT ON CONSTRAINT embedding_pkey DO UPDATE SET vector = excluded.vector;
END
$$;
COMMENT ON FUNCTION cognifold.sum_concept_vectors(text, smallint, integer) IS
    'Recomputes the sum and the direction of every concept from its events'' vectors of a model: when the model changes, or they were made anew. Internal.';
