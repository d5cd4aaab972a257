-- fold_without_embedding: lets an event for which the outside model has no vector be folded by its words alone.
CREATE OR REPLACE FUNCTION cognifold.fold_without_embedding(
    event_id uuid, tenant text DEFAULT cognifold.required_tenant()
) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
BEGIN
    UPDATE cognifold.work AS w SET vectorless = true
    WHERE w.tenant_id = tenant AND w.task = 'fold' AND w.node_id = event_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'event % does not wait to be folded', coalesce(event_id::text, 'NULL')
            USING ERRCODE = 'CF021', HINT = 'awaiting_embedding lists the events that wait for a vector.';
    END IF;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.fold_without_embedding(uuid, text) IS
    'For a text without direction in the tenant''s outside model (only signs, say): it is folded and found by its words, actor and time.';
