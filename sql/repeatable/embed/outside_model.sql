-- outside_model: which model outside the database makes a tenant's vectors, if one does: what a worker has to know of it.
CREATE OR REPLACE FUNCTION cognifold.outside_model(tenant text DEFAULT cognifold.required_tenant()) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    own      cognifold.embedding_model := cognifold.tenant_model(tenant);
BEGIN
    PERFORM cognifold.leave_tenant(previous);
    RETURN CASE WHEN own.provider <> 'lexicon' THEN own.name END;
END
$$;
COMMENT ON FUNCTION cognifold.outside_model(text) IS 'The name of the model outside the database that makes the tenant''s vectors; NULL where the lexicon does. For cognifold_worker.';
