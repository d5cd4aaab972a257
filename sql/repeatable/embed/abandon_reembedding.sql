-- abandon_reembedding: stays with the old model; the vectors made for the new one go in batches.
CREATE OR REPLACE FUNCTION cognifold.abandon_reembedding(tenant text DEFAULT cognifold.required_tenant()) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    done     boolean;
BEGIN
    PERFORM cognifold.take_turn(tenant);
    UPDATE cognifold.reembedding AS r SET abandoned_at = clock_timestamp()
    WHERE r.tenant_id = tenant AND r.switched_at IS NULL AND r.abandoned_at IS NULL;
    done := FOUND;
    IF done AND NOT EXISTS (SELECT FROM cognifold.reembedding AS r
                            JOIN cognifold.embedding AS e ON e.tenant_id = tenant AND e.model_id = r.to_model
                            WHERE r.tenant_id = tenant) THEN   -- nothing was made: it is over at once
        DELETE FROM cognifold.reembedding_queue AS q WHERE q.tenant_id = tenant;
        DELETE FROM cognifold.reembedding AS r WHERE r.tenant_id = tenant;
    END IF;
    IF NOT done AND EXISTS (SELECT FROM cognifold.reembedding AS r WHERE r.tenant_id = tenant AND r.switched_at IS NOT NULL) THEN
        RAISE EXCEPTION 'tenant "%" searches with the new model already', tenant
            USING ERRCODE = 'CF026', HINT = 'Call reembed_batch until it returns 0, and then reembed to the model it was.';
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN done;
END
$$;
COMMENT ON FUNCTION cognifold.abandon_reembedding(text) IS
    'Breaks a move to another model off before the switch: the tenant stays with its model, and reembed_batch, called until it returns 0, drops what was made. False if there was none; CF026 after the switch.';
