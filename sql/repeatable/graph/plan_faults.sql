-- plan_faults: where the record of plans has gaps, or something made has no plan.
CREATE OR REPLACE FUNCTION cognifold.plan_faults(tenant text) RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    RETURN QUERY
    SELECT 'plans are numbered without a gap, in order of time', p.plan_id::text, format('version %s after %s', p.version, p.earlier)
    FROM (SELECT p.plan_id, p.version, p.applied_at, lag(p.version, 1, 0::bigint) OVER in_order AS earlier, lag(p.applied_at) OVER in_order AS before
          FROM cognifold.plan AS p WHERE p.tenant_id = tenant WINDOW in_order AS (ORDER BY p.version)) AS p
    WHERE p.version <> p.earlier + 1 OR p.applied_at <= p.before
    UNION ALL
    SELECT 'what a plan made names its plan', n.id::text, n.kind FROM cognifold.node AS n
    WHERE n.tenant_id = tenant AND n.kind <> 'event'
      AND NOT EXISTS (SELECT FROM cognifold.plan AS p WHERE p.tenant_id = tenant AND p.plan_id = n.plan_id)
    UNION ALL
    SELECT 'every edge has a plan', format('%s -> %s', e.source_id, e.target_id), e.type FROM cognifold.graph_edge AS e
    WHERE e.tenant_id = tenant AND NOT EXISTS (SELECT FROM cognifold.plan AS p WHERE p.tenant_id = tenant AND p.plan_id = e.plan_id);
END
$$;
COMMENT ON FUNCTION cognifold.plan_faults(text) IS
    'Gaps and disorder in the versions of plans; nodes and edges whose plan is not on record. Internal: for check.';
