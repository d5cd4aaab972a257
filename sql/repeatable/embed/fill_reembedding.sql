-- fill_reembedding: stores vectors of a tenant's next model for those of the given events that wait for one.
CREATE OR REPLACE FUNCTION cognifold.fill_reembedding(
    tenant text, model_id smallint, dimensions integer, event_ids uuid[], vectors vector[]
) RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    taken uuid[];
BEGIN
    WITH next AS MATERIALIZED (   -- in one order, so that two who store the same wait for each other, and the second finds them gone
        SELECT q.node_id FROM cognifold.reembedding_queue AS q
        WHERE q.tenant_id = tenant AND q.node_id = ANY (event_ids) ORDER BY q.node_id FOR UPDATE
    ), gone AS (
        DELETE FROM cognifold.reembedding_queue AS q USING next AS n WHERE q.tenant_id = tenant AND q.node_id = n.node_id RETURNING q.node_id
    )
    SELECT array_agg(g.node_id) INTO taken FROM gone AS g;
    WITH stored AS (
        INSERT INTO cognifold.embedding AS e (tenant_id, model_id, kind, node_id, dimensions, vector)
        SELECT tenant, model_id, 'event', v.id, dimensions, l2_normalize(v.vector)::halfvec
        FROM unnest(event_ids, vectors) AS v (id, vector)
        WHERE v.vector IS NOT NULL AND v.id = ANY (taken)
        ORDER BY v.id
        ON CONFLICT ON CONSTRAINT embedding_pkey DO NOTHING
        RETURNING e.node_id, e.vector
    )
    INSERT INTO cognifold.embedding_statistics AS s (tenant_id, model_id, vector_count, vector_sum)
    SELECT tenant, model_id, count(*), sum(t.vector::vector ORDER BY t.node_id) FROM stored AS t HAVING count(*) > 0
    ON CONFLICT ON CONSTRAINT embedding_statistics_pkey DO UPDATE
        SET vector_count = s.vector_count + excluded.vector_count, vector_sum = s.vector_sum + excluded.vector_sum;
    RETURN coalesce(cardinality(taken), 0);
END
$$;
COMMENT ON FUNCTION cognifold.fill_reembedding(text, smallint, integer, uuid[], vector[]) IS
    'Takes the events from reembedding_queue, stores their vectors (NULL: none) and adds them to the model''s statistics; how many were still waiting. Internal: store_reembedded and reembed_batch call it.';
