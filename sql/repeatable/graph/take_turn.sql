-- take_turn: waits until no one else changes the tenant's graph, and holds that to the end of the transaction.
CREATE OR REPLACE FUNCTION cognifold.take_turn(tenant text) RETURNS void
LANGUAGE sql VOLATILE
SET search_path FROM CURRENT
AS $$
    -- The tenant's row, too: every foreign key to it asks for just this lock, and finds that the transaction has it. Else each
    -- event of a fold, a subtransaction of its own, would add its own lock to those before it.
    SELECT FROM cognifold.graph_turn AS t
    JOIN cognifold.tenant AS n ON n.tenant_id = t.tenant_id
    WHERE t.tenant_id = take_turn.tenant
    FOR NO KEY UPDATE OF t FOR KEY SHARE OF n
$$;
COMMENT ON FUNCTION cognifold.take_turn(text) IS
    'Serialises changes of one tenant''s graph: folds, plans and passes of a tenant queue up, those of others do not notice. Obeys lock_timeout. Internal.';
