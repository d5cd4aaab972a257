-- register_model: adds an embedding model that runs outside the database, with its thresholds.
CREATE OR REPLACE FUNCTION cognifold.register_model(
    name text, provider text, dimensions integer, reinforce double precision DEFAULT 0.24, cluster double precision DEFAULT 0.22,
    pair double precision DEFAULT 0.26, merge double precision DEFAULT 0.85, "duplicate" double precision DEFAULT 0.92,
    complete double precision DEFAULT 0.35, relate double precision DEFAULT 0.24, usual double precision DEFAULT 0.1, notes text DEFAULT NULL
) RETURNS smallint
LANGUAGE plpgsql VOLATILE SECURITY INVOKER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    known cognifold.embedding_model;
    made  smallint;
BEGIN
    SELECT m.* INTO known FROM cognifold.embedding_model AS m WHERE m.name = register_model.name;
    IF FOUND AND known.dimensions <> dimensions THEN
        RAISE EXCEPTION 'model "%" is registered with % dimensions, not %', name, known.dimensions, dimensions
            USING ERRCODE = 'CF013', HINT = 'Register the other size under a name of its own.';
    ELSIF FOUND THEN
        RETURN known.model_id;
    END IF;
    -- Ids below 100 are for models that come with the memory.
    INSERT INTO cognifold.embedding_model
        (model_id, name, provider, dimensions, reinforce, cluster, pair, merge, "duplicate", complete, relate, usual, notes)
    SELECT greatest(100, coalesce(max(m.model_id), 0) + 1), register_model.name, register_model.provider, register_model.dimensions,
           register_model.reinforce, register_model.cluster, register_model.pair, register_model.merge, register_model."duplicate",
           register_model.complete, register_model.relate, register_model.usual, register_model.notes
    FROM cognifold.embedding_model AS m
    RETURNING model_id INTO made;
    PERFORM cognifold.make_vector_index(dimensions);
    RETURN made;
END
$$;
COMMENT ON FUNCTION cognifold.register_model(text, text, integer, double precision, double precision, double precision, double precision, double precision, double precision, double precision, double precision, text) IS
    'Registers an embedding model (provider openai, minilm or external) with its dimensions and similarity thresholds; returns its id. For administrators.';
