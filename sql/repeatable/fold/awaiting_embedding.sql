-- awaiting_embedding: the events that cannot be folded before their vector is made outside the database, in fold order.
CREATE OR REPLACE FUNCTION cognifold.awaiting_embedding(
    max_events integer DEFAULT 100, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (event_id uuid, content text)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    own      cognifold.embedding_model := cognifold.tenant_model(tenant);
BEGIN
    RETURN QUERY
    SELECT w.node_id, c.content
    FROM cognifold.work AS w
    JOIN cognifold.node_text AS c ON c.tenant_id = w.tenant_id AND c.node_id = w.node_id
    WHERE w.tenant_id = tenant AND w.task = 'fold' AND w.state <> 'dead' AND NOT w.vectorless AND own.provider <> 'lexicon'
      AND NOT EXISTS (
          SELECT FROM cognifold.embedding AS e
          WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = w.node_id)
    ORDER BY w.occurred_at, w.node_id
    LIMIT max_events;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.awaiting_embedding(integer, text) IS
    'Events waiting to be folded that have no vector of the tenant''s outside model yet, and the text to embed (role document). Give each its vector with store_embedding, or fold_without_embedding. No row for a tenant of the lexicon.';
