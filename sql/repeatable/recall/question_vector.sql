-- question_vector: the vector a question is asked with, in the tenant's model: the one that is given, or that of its words.
CREATE OR REPLACE FUNCTION cognifold.question_vector(
    tenant text, own cognifold.embedding_model, words text, query_embedding vector, model text
) RETURNS halfvec
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    IF query_embedding IS NOT NULL OR model IS NOT NULL THEN
        RETURN cognifold.checked_vector(query_embedding, model, tenant)::halfvec;
    ELSIF own.provider = 'lexicon' THEN
        RETURN cognifold.embed(words, 'query', tenant)::halfvec;
    END IF;
    RAISE EXCEPTION 'tenant "%" stores vectors of model "%", which this database cannot compute', tenant, own.name
        USING ERRCODE = 'CF012',
              HINT = format('Embed the question with %s and pass query_embedding and model => %L; the Python client does.', own.name, own.name);
END
$$;
COMMENT ON FUNCTION cognifold.question_vector(text, cognifold.embedding_model, text, vector, text) IS
    'query_embedding, checked against the tenant''s model, or what the lexicon makes of the words; CF012 where neither can be. own: the tenant''s model. Internal: a stage of recall.';
