-- switch_model: from here on the tenant searches and stores with the model it was moving to; concepts follow their events.
CREATE OR REPLACE FUNCTION cognifold.switch_model(tenant text) RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    moving record;
BEGIN
    PERFORM cognifold.take_turn(tenant);
    SELECT r.to_model, m.dimensions INTO moving
    FROM cognifold.reembedding AS r JOIN cognifold.embedding_model AS m ON m.model_id = r.to_model
    WHERE r.tenant_id = tenant AND r.switched_at IS NULL AND r.abandoned_at IS NULL
    FOR UPDATE OF r;
    IF NOT FOUND OR EXISTS (SELECT FROM cognifold.reembedding_queue AS q WHERE q.tenant_id = tenant) THEN
        RETURN false;   -- somebody else has switched, or an event was folded in between
    END IF;
    WITH evidence AS (
        SELECT DISTINCT e.target_id, e.source_id
        FROM cognifold.graph_edge AS e
        WHERE e.tenant_id = tenant AND e.target_kind = 'concept' AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred
    ), summed AS (
        SELECT v.target_id, sum(b.vector::vector ORDER BY b.node_id) AS total, count(*)::integer AS number
        FROM evidence AS v
        JOIN cognifold.embedding AS b ON b.tenant_id = tenant AND b.model_id = moving.to_model AND b.kind = 'event' AND b.node_id = v.source_id
        GROUP BY v.target_id
    )
    UPDATE cognifold.concept_state AS c
    SET vector_sum = s.total, vector_count = coalesce(s.number, 0)
    FROM cognifold.concept_state AS k
    LEFT JOIN summed AS s ON s.target_id = k.node_id
    WHERE k.tenant_id = tenant AND c.tenant_id = tenant AND c.node_id = k.node_id;
    INSERT INTO cognifold.embedding AS e (tenant_id, model_id, kind, node_id, dimensions, vector)
    SELECT tenant, moving.to_model, 'concept', c.node_id, moving.dimensions, l2_normalize(c.vector_sum)::halfvec
    FROM cognifold.concept_state AS c
    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = c.node_id AND n.merged_into IS NULL
    WHERE c.tenant_id = tenant AND vector_norm(c.vector_sum) > 0
    ON CONFLICT ON CONSTRAINT embedding_pkey DO UPDATE SET vector = excluded.vector;
    UPDATE cognifold.tenant AS t SET model_id = moving.to_model WHERE t.tenant_id = tenant;
    UPDATE cognifold.reembedding AS r SET switched_at = clock_timestamp() WHERE r.tenant_id = tenant;
    RETURN true;
END
$$;
COMMENT ON FUNCTION cognifold.switch_model(text) IS
    'Makes the concepts'' vectors of the new model from their evidence and changes the tenant''s model, in one transaction under the tenant''s turn; false while an event lacks its vector. Readers see the old model with its vectors, then the new one with its own, and never both. Internal: reembed_batch calls it.';
