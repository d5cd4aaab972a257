-- reembed: begins a tenant's move to another embedding model; how many events lack its vector. Called again it goes on.
CREATE OR REPLACE FUNCTION cognifold.reembed(
    model text, tenant text DEFAULT cognifold.required_tenant()
) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    wanted   cognifold.embedding_model;
    running  record;
    own      smallint;
    waiting  bigint;
BEGIN
    -- No fold in between: whatever is folded from here on finds the move and joins the queue.
    PERFORM cognifold.take_turn(tenant);
    SELECT m.* INTO wanted FROM cognifold.embedding_model AS m WHERE m.name = model;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'embedding model % is not registered', coalesce(quote_literal(model), 'NULL')
            USING ERRCODE = 'CF012', HINT = 'register_model adds one; SELECT name FROM cognifold.embedding_model lists them.';
    END IF;
    SELECT r.from_model, r.to_model, r.switched_at, r.abandoned_at, f.name AS from_name, t.name AS to_name INTO running
    FROM cognifold.reembedding AS r
    JOIN cognifold.embedding_model AS f ON f.model_id = r.from_model
    JOIN cognifold.embedding_model AS t ON t.model_id = r.to_model
    WHERE r.tenant_id = tenant;
    IF FOUND AND (running.to_model <> wanted.model_id OR running.abandoned_at IS NOT NULL) THEN
        RAISE EXCEPTION 'tenant "%" is on its way from model "%" to "%"%', tenant, running.from_name, running.to_name,
                CASE WHEN running.abandoned_at IS NOT NULL THEN ', which was abandoned' WHEN running.switched_at IS NOT NULL THEN ', whose old vectors are going' ELSE '' END
            USING ERRCODE = 'CF026',
                  HINT = CASE WHEN running.abandoned_at IS NULL AND running.switched_at IS NULL THEN 'Call abandon_reembedding, then reembed_batch until it returns 0.'
                              ELSE 'Call reembed_batch until it returns 0, and then begin.' END;
    ELSIF NOT FOUND THEN
        SELECT t.model_id INTO own FROM cognifold.tenant AS t WHERE t.tenant_id = tenant;
        IF own <> wanted.model_id THEN
            INSERT INTO cognifold.reembedding (tenant_id, from_model, to_model, started_at) VALUES (tenant, own, wanted.model_id, clock_timestamp());
            INSERT INTO cognifold.reembedding_queue (tenant_id, node_id)
            SELECT tenant, n.id
            FROM cognifold.node AS n
            JOIN cognifold.lexical_document AS d ON d.tenant_id = tenant AND d.node_id = n.id
            WHERE n.tenant_id = tenant AND n.kind = 'event';
        END IF;
    END IF;
    SELECT count(*) INTO waiting FROM cognifold.reembedding_queue AS q WHERE q.tenant_id = tenant;
    PERFORM cognifold.leave_tenant(previous);
    RETURN waiting;
END
$$;
COMMENT ON FUNCTION cognifold.reembed(text, text) IS
    'Begins to give every folded event of the tenant a vector of another registered model, from its stored text, and says how many lack one. Until all have, everything goes on with the old model. Then: for the lexicon call reembed_batch until it returns 0; for a model outside the database store what awaiting_reembedding lists with store_reembedded, and reembed_batch besides (Memory.reembed does all of it). An unknown model is refused with CF012, another move under way with CF026.';
