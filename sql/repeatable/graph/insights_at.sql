-- insights_at: what the view insight shows of a moment of transaction time.
CREATE OR REPLACE FUNCTION cognifold.insights_at(tenant text, moment timestamptz) RETURNS TABLE (
    tenant_id text, insight_id uuid, node_id uuid, about text, kind text, insight text, confidence real, abstraction_level text,
    derived_from uuid[], figures jsonb, as_of timestamptz, created_at timestamptz, plan_id uuid
)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH changed AS MATERIALIZED (   -- by the insight alone: a merge may have made it one of another node
        SELECT DISTINCT ON (j.node_id) j.node_id AS insight_id, j.before AS image
        FROM cognifold.plan AS p
        JOIN cognifold.journal AS j ON j.tenant_id = p.tenant_id AND j.plan_id = p.plan_id AND j.relation = 'insight_state'
        WHERE p.tenant_id = insights_at.tenant AND p.applied_at > insights_at.moment
        ORDER BY j.node_id, p.version
    )
    SELECT insights_at.tenant, s.insight_id, s.node_id, n.title, s.kind, s.insight, s.confidence, s.abstraction_level, s.derived_from, s.figures,
           s.as_of, s.created_at, s.plan_id
    FROM (
        SELECT r.* FROM changed AS c CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.insight_state, c.image) AS r WHERE c.image IS NOT NULL
        UNION ALL
        SELECT i.* FROM cognifold.insight_state AS i
        WHERE i.tenant_id = insights_at.tenant AND NOT EXISTS (SELECT FROM changed AS o WHERE o.insight_id = i.insight_id)
    ) AS s
    LEFT JOIN cognifold.nodes_at(insights_at.tenant, insights_at.moment) AS n ON n.id = s.node_id
    WHERE s.closed_at IS NULL;
END
$$;
COMMENT ON FUNCTION cognifold.insights_at(text, timestamptz) IS
    'The rows of the view insight as they were known at a moment of transaction time. Internal: the view calls it.';
