-- reembed_batch: one step of a tenant's move to another model, as far as the database can take it alone; 0 when nothing is left.
CREATE OR REPLACE FUNCTION cognifold.reembed_batch(
    max_rows integer DEFAULT 1000, tenant text DEFAULT cognifold.required_tenant()
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
SET enable_seqscan = off
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    moving   record;
    next     uuid[];
    vectors  vector[];
    dropped  smallint;
    number   bigint := 0;
BEGIN
    IF max_rows IS NULL OR max_rows < 1 THEN
        RAISE EXCEPTION 'reembed_batch: max_rows = % is not positive', coalesce(max_rows::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Say how many vectors to make, or to drop, in this call.';
    END IF;
    SELECT r.*, m.provider, m.dimensions INTO moving
    FROM cognifold.reembedding AS r JOIN cognifold.embedding_model AS m ON m.model_id = r.to_model
    WHERE r.tenant_id = tenant;
    IF FOUND AND moving.switched_at IS NULL AND moving.abandoned_at IS NULL THEN
        next := ARRAY(SELECT q.node_id FROM cognifold.reembedding_queue AS q WHERE q.tenant_id = tenant ORDER BY q.node_id LIMIT max_rows);
        IF cardinality(next) = 0 THEN
            number := cognifold.switch_model(tenant)::integer;
        ELSIF moving.provider = 'lexicon' THEN
            PERFORM FROM cognifold.reembedding AS r WHERE r.tenant_id = tenant AND r.abandoned_at IS NULL FOR SHARE;
            IF FOUND THEN
                SELECT array_agg(cognifold.embed(c.content) ORDER BY c.node_id), array_agg(c.node_id ORDER BY c.node_id) INTO vectors, next
                FROM cognifold.node_text AS c WHERE c.tenant_id = tenant AND c.node_id = ANY (next);
                number := cognifold.fill_reembedding(tenant, moving.to_model, moving.dimensions, next, vectors);
            END IF;
        END IF;
    ELSIF FOUND THEN
        dropped := CASE WHEN moving.abandoned_at IS NULL THEN moving.from_model ELSE moving.to_model END;
        DELETE FROM cognifold.embedding AS e
        USING (SELECT o.kind, o.node_id FROM cognifold.embedding AS o
               WHERE o.tenant_id = tenant AND o.model_id = dropped ORDER BY o.kind, o.node_id LIMIT max_rows) AS o
        WHERE e.tenant_id = tenant AND e.model_id = dropped AND e.kind = o.kind AND e.node_id = o.node_id;
        GET DIAGNOSTICS number = ROW_COUNT;
        IF number = 0 AND (moving.abandoned_at IS NOT NULL
                           OR NOT EXISTS (SELECT FROM cognifold.reembedding_queue AS q WHERE q.tenant_id = tenant)) THEN
            PERFORM cognifold.take_turn(tenant);
            DELETE FROM cognifold.reembedding_queue AS q WHERE q.tenant_id = tenant AND moving.abandoned_at IS NOT NULL;
            DELETE FROM cognifold.embedding_statistics AS s WHERE s.tenant_id = tenant AND s.model_id = dropped;
            DELETE FROM cognifold.vector_count AS c WHERE c.tenant_id = tenant AND c.model_id = dropped;
            DELETE FROM cognifold.reembedding AS r WHERE r.tenant_id = tenant AND r.to_model = moving.to_model;
        END IF;
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN number;
END
$$;
COMMENT ON FUNCTION cognifold.reembed_batch(integer, text) IS
    'Does one of these and says how many rows it was: makes up to max_rows vectors, where the new model is the lexicon; changes the tenant''s model, once no event lacks its vector (1); drops up to max_rows vectors that are not needed any more; clears up (0). Call it until it returns 0; then the move is over, or waits for vectors made outside (awaiting_reembedding). Each call is a step that is whole by itself: killed, it is as if it had not been called.';
