-- tenant_model: the embedding model a tenant stores and searches with, thresholds included.
CREATE OR REPLACE FUNCTION cognifold.tenant_model(tenant text) RETURNS cognifold.embedding_model
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT m FROM cognifold.tenant AS t JOIN cognifold.embedding_model AS m ON m.model_id = t.model_id
    WHERE t.tenant_id = tenant_model.tenant
$$;
COMMENT ON FUNCTION cognifold.tenant_model(text) IS 'The registry row of the tenant''s embedding model.';
