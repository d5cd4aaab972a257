-- take_turn: waits until no one else changes the tenant's graph, and holds that to the end of the transaction.
CREATE OR REPLACE FUNCTION cognifold.take_turn(tenant text) RETURNS void
LANGUAGE sql VOLATILE
SET search_path FROM CURRENT
AS $$
    SELECT FROM cognifold.graph_turn AS t WHERE t.tenant_id = take_turn.tenant FOR NO KEY UPDATE
$$;
COMMENT ON FUNCTION cognifold.take_turn(text) IS
    'Serialises changes of one tenant''s graph: folds, plans and passes of a tenant queue up, those of others do not notice. Obeys lock_timeout. Internal.';
