-- next_dirty: the nodes of a kind that have changed, after one and up to another, in order of their ids.
CREATE OR REPLACE FUNCTION cognifold.next_dirty(tenant text, kind text, after uuid, until uuid, maximum integer) RETURNS uuid[]
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off   -- a piece of the index in its order
AS $$
#variable_conflict use_variable
BEGIN
    RETURN ARRAY(SELECT d.node_id FROM cognifold.consolidation_dirty AS d
                 WHERE d.tenant_id = tenant AND d.kind = kind AND d.node_id > after AND d.node_id <= until
                 ORDER BY d.node_id LIMIT maximum);
END
$$;
COMMENT ON FUNCTION cognifold.next_dirty(text, text, uuid, uuid, integer) IS
    'Up to maximum nodes of consolidation_dirty of a kind, with ids after one and up to another. Internal: a pass calls it.';
