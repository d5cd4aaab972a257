-- checked_vector: a vector given by a caller, normalised, or an error that names both models or both dimensions.
CREATE OR REPLACE FUNCTION cognifold.checked_vector(given vector, model text, tenant text) RETURNS vector
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
DECLARE
    own  cognifold.embedding_model := cognifold.tenant_model(tenant);
    size double precision := vector_norm(given);
BEGIN
    IF model IS NULL OR model <> own.name THEN
        RAISE EXCEPTION 'a vector of model % was given, but tenant "%" stores vectors of model "%"',
                coalesce(quote_literal(model), '(none named)'), tenant, own.name
            USING ERRCODE = 'CF012', HINT = format('Embed with %s and say model => %L.', own.name, own.name);
    END IF;
    IF given IS NULL OR vector_dims(given) <> own.dimensions THEN
        RAISE EXCEPTION 'a vector of % dimensions was given, but model "%" has %', coalesce(vector_dims(given), 0), own.name, own.dimensions
            USING ERRCODE = 'CF013', HINT = 'Nothing was stored; check which model made the vector.';
    END IF;
    IF size = 0 OR size = 'NaN' OR size = 'Infinity' THEN
        RAISE EXCEPTION 'the vector has no direction: its length is %', size
            USING ERRCODE = 'CF011', HINT = 'Leave the vector out for a text without words; it is then found by its other signals.';
    END IF;
    RETURN l2_normalize(given);
END
$$;
COMMENT ON FUNCTION cognifold.checked_vector(vector, text, text) IS 'Checks model (CF012), dimensions (CF013) and direction (CF011) of a given vector and normalises it. Internal.';
