-- make_vector_index: the HNSW indexes for vectors of so many dimensions, of all tenants; false where they are there, or cannot be.
CREATE OR REPLACE FUNCTION cognifold.make_vector_index(dimensions integer) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY INVOKER
SET search_path FROM CURRENT
AS $$
BEGIN
    IF to_regclass(format('cognifold.vector_index_%s', dimensions)) IS NOT NULL
        AND to_regclass(format('cognifold.vector_index_%s_concepts', dimensions)) IS NOT NULL
    THEN
        RETURN false;
    ELSIF dimensions + 16 > 4000 THEN
        RAISE NOTICE 'vectors of % dimensions are too long for an index and are searched exactly, however many there are', dimensions
            USING HINT = 'An index takes 3984 dimensions; many models can be asked for fewer.';
        RETURN false;
    END IF;
    EXECUTE format('CREATE INDEX IF NOT EXISTS vector_index_%s ON cognifold.vector_index USING hnsw ((place::halfvec(%s)) halfvec_ip_ops) '
                   'WITH (m = 16, ef_construction = 100) WHERE dimensions = %s', dimensions, dimensions + 16, dimensions);
    -- Concepts are one vector in nine or so: where many events say nearly the same, a search for what is like a concept would
    -- pass over them by the thousand before it came to another.
    EXECUTE format('CREATE INDEX IF NOT EXISTS vector_index_%s_concepts ON cognifold.vector_index USING hnsw ((place::halfvec(%s)) halfvec_ip_ops) '
                   'WITH (m = 16, ef_construction = 100) WHERE dimensions = %s AND kind = %L', dimensions, dimensions + 16, dimensions, 'concept');
    RETURN true;
END
$$;
COMMENT ON FUNCTION cognifold.make_vector_index(integer) IS
    'Makes the indexes of vector_index for models of so many dimensions: one of all vectors, one of concepts alone. register_model calls it; without them (or above 3984 dimensions) such vectors are searched exactly. For administrators.';
