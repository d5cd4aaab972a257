-- awaiting_reembedding: events that lack their vector of the model a tenant is moving to, where that is made outside.
CREATE OR REPLACE FUNCTION cognifold.awaiting_reembedding(
    max_events integer DEFAULT 100, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (event_id uuid, content text)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
SET search_path FROM CURRENT
SET enable_seqscan = off
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
BEGIN
    RETURN QUERY
    SELECT q.node_id, c.content
    FROM (SELECT q.node_id FROM cognifold.reembedding_queue AS q
          WHERE q.tenant_id = tenant
            AND EXISTS (SELECT FROM cognifold.reembedding AS r JOIN cognifold.embedding_model AS m ON m.model_id = r.to_model
                        WHERE r.tenant_id = tenant AND r.abandoned_at IS NULL AND m.provider <> 'lexicon')
          ORDER BY q.node_id LIMIT max_events) AS q
    JOIN cognifold.node_text AS c ON c.tenant_id = tenant AND c.node_id = q.node_id
    ORDER BY q.node_id;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.awaiting_reembedding(integer, text) IS
    'Events that lack a vector of the outside model the tenant is moving to (reembed), and the text to embed (role document): give them to store_reembedded. No row where the move is to the lexicon, or there is none.';
