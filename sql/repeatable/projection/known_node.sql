-- known_node: the node an id stands for, or an error.
CREATE OR REPLACE FUNCTION cognifold.known_node(tenant text, node_id uuid) RETURNS uuid
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
DECLARE
    found uuid := cognifold.resolve_node(tenant, node_id);
BEGIN
    IF found IS NULL THEN
        RAISE EXCEPTION 'node % is not known to tenant "%"', coalesce(node_id::text, 'NULL'), tenant
            USING ERRCODE = 'CF021', HINT = 'recall returns node_id; ids of other tenants are not seen.';
    END IF;
    RETURN found;
END
$$;
COMMENT ON FUNCTION cognifold.known_node(text, uuid) IS 'The node an id stands for today, following a merge; CF021 if the tenant has no such node. Internal.';
