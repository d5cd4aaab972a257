-- store_embedding: takes a vector made outside for a node, after checking that it is of the tenant's own model.
CREATE OR REPLACE FUNCTION cognifold.store_embedding(
    node_id uuid, vector vector, model text, tenant text DEFAULT cognifold.required_tenant()
) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    checked  vector;
    own      cognifold.embedding_model;
    subject  text;
BEGIN
    PERFORM cognifold.take_turn(tenant);   -- before the model is read: it may be changing, and a fold takes its locks in this order
    own := cognifold.tenant_model(tenant);
    checked := cognifold.checked_vector(vector, model, tenant);
    SELECT n.kind INTO subject FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = store_embedding.node_id;
    IF subject IS DISTINCT FROM 'event' THEN
        RAISE EXCEPTION 'node % is %', store_embedding.node_id, coalesce('a ' || subject, 'not known')
            USING ERRCODE = 'CF021', HINT = 'Vectors are given to events of the tenant; a concept''s vector is made from its events.';
    END IF;
    INSERT INTO cognifold.embedding AS e (tenant_id, model_id, kind, node_id, dimensions, vector)
    VALUES (tenant, own.model_id, 'event', store_embedding.node_id, own.dimensions, checked::halfvec)
    ON CONFLICT ON CONSTRAINT embedding_pkey DO NOTHING;
    IF FOUND THEN
        PERFORM cognifold.count_vector(tenant, own.model_id, checked);
        -- A plan may have made it evidence before its vector came.
        PERFORM cognifold.add_vectors(tenant, jsonb_agg(jsonb_build_object('concept', g.target_id, 'event', store_embedding.node_id)))
        FROM (SELECT DISTINCT e.target_id FROM cognifold.graph_edge AS e
              WHERE e.tenant_id = tenant AND e.source_id = store_embedding.node_id AND e.target_kind = 'concept'
                AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred) AS g
        HAVING count(*) > 0;
    END IF;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.store_embedding(uuid, vector, text, text) IS
    'Stores a vector made outside the database for an event, normalised. model names the model it was made with: another than the tenant''s is refused (CF012), as are other dimensions (CF013) and a vector without direction (CF011). An event that has one keeps it.';
