-- edges_due: whether any live edge has faded by a moment.
CREATE OR REPLACE FUNCTION cognifold.edges_due(tenant text, as_of timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off   -- the weakest edge decides, and the index begins with it
AS $$
#variable_conflict use_variable
BEGIN
    RETURN EXISTS (
        SELECT FROM cognifold.fading_bars(tenant, as_of) AS b
        CROSS JOIN LATERAL (SELECT FROM cognifold.graph_edge AS e
                            WHERE e.tenant_id = tenant AND e.rate = b.rate AND e.faded_at IS NULL AND e.potential < b.bar LIMIT 1) AS due);
END
$$;
COMMENT ON FUNCTION cognifold.edges_due(text, timestamptz) IS 'Whether a live edge''s mass is below edge.fade by then: a look at two ends of an index. Internal.';
