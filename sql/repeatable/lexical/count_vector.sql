-- count_vector: adds an event's vector to the tenant's running sum.
CREATE OR REPLACE FUNCTION cognifold.count_vector(tenant text, model_id smallint, added vector) RETURNS void
LANGUAGE sql VOLATILE
SET search_path FROM CURRENT
AS $$
    INSERT INTO cognifold.embedding_statistics AS s (tenant_id, model_id, vector_count, vector_sum)
    VALUES (count_vector.tenant, count_vector.model_id, 1, added)
    ON CONFLICT (tenant_id, model_id) DO UPDATE
        SET vector_count = s.vector_count + 1, vector_sum = s.vector_sum + excluded.vector_sum
$$;
COMMENT ON FUNCTION cognifold.count_vector(text, smallint, vector) IS 'Adds an event''s unit vector to the tenant''s sum, from which the usual likeness of its events is known. Internal.';
