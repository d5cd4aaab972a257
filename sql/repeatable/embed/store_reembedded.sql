-- store_reembedded: takes vectors of the model a tenant is moving to, for events that lack them; how many it stored.
CREATE OR REPLACE FUNCTION cognifold.store_reembedded(
    event_ids uuid[], vectors vector[], model text, tenant text DEFAULT cognifold.required_tenant()
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    moving   record;
    wrong    record;
    number   bigint;
BEGIN
    SELECT r.to_model, r.switched_at, m.name, m.dimensions INTO moving
    FROM cognifold.reembedding AS r JOIN cognifold.embedding_model AS m ON m.model_id = r.to_model
    WHERE r.tenant_id = tenant AND r.abandoned_at IS NULL
    FOR SHARE OF r;   -- the switch waits for what is being stored
    IF NOT FOUND THEN
        RAISE EXCEPTION 'tenant "%" is not moving to another model', tenant USING ERRCODE = 'CF026', HINT = 'reembed begins such a move.';
    ELSIF model IS DISTINCT FROM moving.name THEN
        RAISE EXCEPTION 'vectors of model % were given, but tenant "%" is moving to model "%"', coalesce(quote_literal(model), '(none named)'), tenant, moving.name
            USING ERRCODE = 'CF012', HINT = format('Embed with %s and say model => %L.', moving.name, moving.name);
    ELSIF cardinality(event_ids) IS DISTINCT FROM cardinality(vectors) THEN
        RAISE EXCEPTION '% events and % vectors were given', coalesce(cardinality(event_ids), 0), coalesce(cardinality(vectors), 0)
            USING ERRCODE = 'CF010', HINT = 'Give each event its vector, or NULL for a text without direction.';
    END IF;
    SELECT v.id, vector_dims(v.vector) AS dimensions, vector_norm(v.vector) AS size INTO wrong
    FROM unnest(event_ids, vectors) AS v (id, vector)
    WHERE vector_dims(v.vector) <> moving.dimensions OR NOT (vector_norm(v.vector) > 0 AND vector_norm(v.vector) < 'Infinity')
    LIMIT 1;
    IF FOUND THEN
        IF wrong.dimensions <> moving.dimensions THEN
            RAISE EXCEPTION 'a vector of % dimensions was given for event %, but model "%" has %', wrong.dimensions, wrong.id, moving.name, moving.dimensions
                USING ERRCODE = 'CF013', HINT = 'Nothing was stored; check which model made the vectors.';
        END IF;
        RAISE EXCEPTION 'the vector of event % has no direction: its length is %', wrong.id, wrong.size
            USING ERRCODE = 'CF011', HINT = 'Give NULL for a text without words; it is then found by its other signals.';
    END IF;
    IF moving.switched_at IS NOT NULL THEN   -- a straggler, of the tenant's own model by now
        PERFORM cognifold.store_embedding(v.id, v.vector, model, tenant)
        FROM unnest(event_ids, vectors) AS v (id, vector)
        JOIN cognifold.reembedding_queue AS q ON q.tenant_id = tenant AND q.node_id = v.id
        WHERE v.vector IS NOT NULL;
        DELETE FROM cognifold.reembedding_queue AS q WHERE q.tenant_id = tenant AND q.node_id = ANY (event_ids);
        GET DIAGNOSTICS number = ROW_COUNT;
    ELSE
        number := cognifold.fill_reembedding(tenant, moving.to_model, moving.dimensions, event_ids, vectors);
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN number;
END
$$;
COMMENT ON FUNCTION cognifold.store_reembedded(uuid[], vector[], text, text) IS
    'Stores vectors made outside the database for events that awaiting_reembedding lists, normalised; NULL for a text without direction. All or none: CF012 names both models, CF013 both dimensions, CF011 a vector without direction, CF026 says that there is no such move. Events that have theirs already are passed over, so two may store the same. How many left the queue.';
