-- near_vectors: the memories whose vectors are nearest to a question's, nearest first.
--
-- Small memories, and whatever a narrowing leaves few of, are looked at one by one. A large one is searched by the index of
-- vector_index, and its newest vectors, which wait in vector_tail, one by one. Which it is follows from counts that are kept;
-- each way is a statement of its own for which there is one plan, so nothing is left to the planner's estimates.
CREATE OR REPLACE FUNCTION cognifold.near_vectors(
    tenant text, model_id smallint, question halfvec, narrow cognifold.narrowing, depth integer, given jsonb DEFAULT NULL
) RETURNS TABLE (node_id uuid, cosine double precision)
LANGUAGE plpgsql STABLE ROWS 100
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_sort = off        -- the order of the index, where there is one
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    settings jsonb;
    ids      uuid[];
    cosines  double precision[];
    few      uuid[];
    located  halfvec;
    size     integer := vector_dims(question);
    present  bigint;
    total    double precision;
    kept     double precision;
    before   text[];
BEGIN
    IF question IS NULL OR depth < 1 THEN
        RETURN;
    END IF;
    settings := coalesce(given, cognifold.settings(tenant));
    IF (narrow).narrowed THEN
        few := cognifold.few_asked_for(tenant, narrow, (settings -> 'vector.narrowed')::integer);
    END IF;
    IF few IS NOT NULL THEN
        RETURN QUERY SELECT v.node_id, v.cosine FROM cognifold.nearest_among(tenant, model_id, question, narrow, depth, few) AS v
                     ORDER BY v.cosine DESC, v.node_id;
        RETURN;
    END IF;
    IF cognifold.vector_route(tenant, model_id, (narrow).kinds) = 'index' THEN
        -- Set and set back, and not by SET clauses: where pgvector is not loaded yet, those are a superuser's to write.
        SELECT question || c.signature, CASE WHEN 'event' = ANY ((narrow).kinds) THEN c.events ELSE 0 END
                                        + CASE WHEN 'concept' = ANY ((narrow).kinds) THEN c.concepts ELSE 0 END,
               c.events + c.concepts
        INTO located, present, total
        FROM cognifold.vector_count AS c WHERE c.tenant_id = tenant AND c.model_id = model_id;
        kept := (settings -> 'vector.search')::double precision
                * greatest(1, total / greatest(1, (settings -> 'vector.exact')::double precision)) ^ (settings -> 'vector.growth')::double precision;
        before := ARRAY[current_setting('hnsw.ef_search', true), current_setting('hnsw.max_scan_tuples', true), current_setting('hnsw.iterative_scan', true)];
        PERFORM set_config('hnsw.ef_search', least(greatest(kept, depth), 1000)::integer::text, true),
                set_config('hnsw.max_scan_tuples', (settings -> 'vector.scan')::integer::text, true),
                set_config('hnsw.iterative_scan', 'relaxed_order', true);
        IF size <> 256 THEN   -- an index of its own for each number of dimensions: planned anew each time
            EXECUTE format('SELECT array_agg(v.node_id ORDER BY v.cosine DESC, v.node_id), array_agg(v.cosine ORDER BY v.cosine DESC, v.node_id) FROM (%s) AS v',
                           replace(replace((SELECT p.prosrc FROM pg_proc AS p
                                            WHERE p.oid = CASE WHEN (narrow).narrowed
                                                               THEN 'cognifold.nearest_indexed_narrowed(text,smallint,halfvec,cognifold.narrowing,integer,halfvec)'::regprocedure
                                                               ELSE 'cognifold.nearest_indexed(text,smallint,halfvec,cognifold.narrowing,integer,halfvec)'::regprocedure END),
                                           '256', size::text), '272', (size + 16)::text))
            INTO ids, cosines USING tenant, model_id, question, narrow, depth, located;
        ELSIF (narrow).narrowed THEN
            SELECT array_agg(v.node_id ORDER BY v.cosine DESC, v.node_id), array_agg(v.cosine ORDER BY v.cosine DESC, v.node_id) INTO ids, cosines
            FROM cognifold.nearest_indexed_narrowed(tenant, model_id, question, narrow, depth, located) AS v;
        ELSE
            SELECT array_agg(v.node_id ORDER BY v.cosine DESC, v.node_id), array_agg(v.cosine ORDER BY v.cosine DESC, v.node_id) INTO ids, cosines
            FROM cognifold.nearest_indexed(tenant, model_id, question, narrow, depth, located) AS v;
        END IF;
        PERFORM set_config('hnsw.ef_search', before[1], true), set_config('hnsw.max_scan_tuples', before[2], true), set_config('hnsw.iterative_scan', before[3], true);
        -- Too few: the scan ended before it had found what the narrowing leaves.
        IF coalesce(cardinality(ids), 0) >= least(depth, present) OR present > (settings -> 'vector.fallback')::double precision THEN
            RETURN QUERY SELECT v.id, v.cosine FROM unnest(ids[:depth], cosines[:depth]) AS v (id, cosine);
            RETURN;
        END IF;
    END IF;
    IF (narrow).narrowed THEN
        RETURN QUERY SELECT v.node_id, v.cosine FROM cognifold.nearest_exact_narrowed(tenant, model_id, question, narrow, depth) AS v
                     ORDER BY v.cosine DESC, v.node_id;
    ELSE
        RETURN QUERY SELECT v.node_id, v.cosine FROM cognifold.nearest_exact(tenant, model_id, question, narrow, depth) AS v
                     ORDER BY v.cosine DESC, v.node_id;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.near_vectors(text, smallint, halfvec, cognifold.narrowing, integer, jsonb) IS
    'The depth memories within the narrowing with the greatest cosine to the question: exactly for memories of up to vector.exact vectors of the kinds asked for and where the narrowing leaves up to vector.narrowed, else by the index and the tail. Writes nothing. Internal: a stage of recall.';
