-- last_dirty: of the nodes of a kind that have changed, the one with the greatest id.
CREATE OR REPLACE FUNCTION cognifold.last_dirty(tenant text, kind text) RETURNS uuid
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
#variable_conflict use_variable
BEGIN
    RETURN (SELECT d.node_id FROM cognifold.consolidation_dirty AS d
            WHERE d.tenant_id = tenant AND d.kind = kind ORDER BY d.node_id DESC LIMIT 1);
END
$$;
COMMENT ON FUNCTION cognifold.last_dirty(text, text) IS 'The greatest id in consolidation_dirty of a kind, or NULL. Internal: a pass calls it.';
