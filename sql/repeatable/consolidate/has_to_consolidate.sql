-- has_to_consolidate: whether a pass would change anything: a few index pages, however large the memory.
CREATE OR REPLACE FUNCTION cognifold.has_to_consolidate(tenant text, as_of timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    RETURN cognifold.consolidation_due(tenant, as_of) IS NOT NULL
        -- Ranks are left by plans, too, till it is worth the while.
        OR cognifold.ranks_due(tenant) <= (SELECT count(*) FROM (SELECT FROM cognifold.rank_dirty AS d WHERE d.tenant_id = tenant
                                                                 LIMIT cognifold.ranks_due(tenant)) AS d)
        -- One that was interrupted is ended.
        OR EXISTS (SELECT FROM cognifold.consolidation_run AS r WHERE r.tenant_id = tenant AND r.state = 'running');
END
$$;
COMMENT ON FUNCTION cognifold.has_to_consolidate(text, timestamptz) IS
    'Whether anything has changed or is due (consolidation_due), ranks wait to be settled (ranks_due), or a pass that was interrupted is still entered as running. Internal.';
