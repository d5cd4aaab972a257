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
    PERFORM cognifold.sum_concept_vectors(tenant, moving.to_model, moving.dimensions);
    UPDATE cognifold.tenant AS t SET model_id = moving.to_model WHERE t.tenant_id = tenant;
    UPDATE cognifold.reembedding AS r SET switched_at = clock_timestamp() WHERE r.tenant_id = tenant;
    RETURN true;
END
$$;
COMMENT ON FUNCTION cognifold.switch_model(text) IS
    'Makes the concepts'' vectors of the new model from their evidence and changes the tenant''s model, in one transaction under the tenant''s turn; false while an event lacks its vector. Readers see the old model with its vectors, then the new one with its own, and never both. Internal: reembed_batch calls it.';
