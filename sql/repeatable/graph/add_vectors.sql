-- add_vectors: what vectors that come after their events were folded do to the concepts: the sum, and the direction of the sum.
CREATE OR REPLACE FUNCTION cognifold.add_vectors(tenant text, evidence jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    own cognifold.embedding_model := cognifold.tenant_model(tenant);
BEGIN
    WITH arrived AS (
        SELECT f.concept, sum(e.vector::vector ORDER BY f.event) AS vectors, count(e.node_id)::integer AS number
        FROM jsonb_to_recordset(evidence) AS f (concept uuid, event uuid)
        LEFT JOIN cognifold.embedding AS e ON e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = f.event
        GROUP BY f.concept
    ), summed AS (
        UPDATE cognifold.concept_state AS c
        SET vector_sum = coalesce(c.vector_sum + a.vectors, c.vector_sum, a.vectors),
            vector_count = c.vector_count + a.number
        FROM arrived AS a
        WHERE c.tenant_id = tenant AND c.node_id = a.concept
        RETURNING c.node_id, c.vector_sum
    )
    INSERT INTO cognifold.embedding AS e (tenant_id, model_id, kind, node_id, dimensions, vector)
    SELECT tenant, own.model_id, 'concept', s.node_id, own.dimensions, l2_normalize(s.vector_sum)::halfvec
    FROM summed AS s WHERE vector_norm(s.vector_sum) > 0
    ON CONFLICT ON CONSTRAINT embedding_pkey DO UPDATE SET vector = excluded.vector;

    -- No plan will say that these concepts have changed.
    INSERT INTO cognifold.consolidation_dirty (tenant_id, kind, node_id)
    SELECT DISTINCT tenant, 'concept', f.concept FROM jsonb_to_recordset(evidence) AS f (concept uuid)
    ON CONFLICT DO NOTHING;
END
$$;
COMMENT ON FUNCTION cognifold.add_vectors(text, jsonb) IS
    'Adds the vectors of evidence, [{concept, event}], to their concepts, which counted it before its vectors came (add_evidence adds those that are there). Internal.';
