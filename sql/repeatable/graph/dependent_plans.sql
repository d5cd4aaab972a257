-- dependent_plans: the later plans that build on what a plan wrote, newest first.
CREATE OR REPLACE FUNCTION cognifold.dependent_plans(tenant text, plan_id uuid) RETURNS TABLE (dependent uuid, version bigint)
LANGUAGE plpgsql STABLE ROWS 5
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH subject AS MATERIALIZED (
        SELECT p.version FROM cognifold.plan AS p WHERE p.tenant_id = dependent_plans.tenant AND p.plan_id = dependent_plans.plan_id
    ), wrote AS MATERIALIZED (
        SELECT j.relation, j.node_id, j.other_id, j.part, j.before
        FROM cognifold.journal AS j WHERE j.tenant_id = dependent_plans.tenant AND j.plan_id = dependent_plans.plan_id
    ), held AS (       -- nodes that rows which would come back hang on
        SELECT DISTINCT v.id
        FROM wrote AS w
        CROSS JOIN LATERAL (VALUES (CASE WHEN w.relation <> 'node' THEN w.node_id END), (w.other_id), ((w.before ->> 'merged_into')::uuid)) AS v (id)
        WHERE w.before IS NOT NULL AND v.id IS NOT NULL
    ), fate AS (       -- what each plan that wrote such a node made of it: the image that the next found, or what is there now
        SELECT j.plan_id, j.node_id, j.before, lead(coalesce(j.before, '{}')) OVER in_order AS after, lead(j.plan_id) OVER in_order IS NULL AS last
        FROM held AS h
        JOIN cognifold.journal AS j ON j.tenant_id = dependent_plans.tenant AND j.node_id = h.id AND j.relation = 'node'
        JOIN cognifold.plan AS p ON p.tenant_id = dependent_plans.tenant AND p.plan_id = j.plan_id
        WINDOW in_order AS (PARTITION BY j.node_id ORDER BY p.version)
    ), touching AS (
        -- the same row
        SELECT j.plan_id
        FROM wrote AS w
        JOIN cognifold.journal AS j ON j.tenant_id = dependent_plans.tenant AND j.node_id = w.node_id AND j.relation = w.relation
             AND (j.other_id IS NOT DISTINCT FROM w.other_id OR w.relation = 'insight_state')  -- a merge changes what an insight is about
             AND j.part IS NOT DISTINCT FROM w.part
        UNION
        -- a row of a node that was written, from either end of an edge
        SELECT j.plan_id FROM wrote AS w
        JOIN cognifold.journal AS j ON j.tenant_id = dependent_plans.tenant AND j.node_id = w.node_id
        WHERE w.relation = 'node'
        UNION
        SELECT j.plan_id FROM wrote AS w
        JOIN cognifold.journal AS j ON j.tenant_id = dependent_plans.tenant AND j.other_id = w.node_id
        WHERE w.relation = 'node'
        UNION
        -- a node went, or was merged, that a row would come back to
        SELECT f.plan_id FROM fate AS f
        LEFT JOIN cognifold.node AS n ON n.tenant_id = dependent_plans.tenant AND n.id = f.node_id
        WHERE f.before IS NOT NULL
          AND CASE WHEN f.last THEN n.id IS NULL OR n.merged_into IS DISTINCT FROM (f.before ->> 'merged_into')::uuid
                   ELSE f.after = '{}' OR f.after -> 'merged_into' <> f.before -> 'merged_into' END
        UNION
        -- what would be left rests on the plan alone, as other evidence was taken away since
        SELECT r.remover FROM cognifold.provenance_removers(dependent_plans.tenant, dependent_plans.plan_id) AS r
        UNION
        -- a moment has one node: what stands where one would come back
        SELECT n.plan_id FROM wrote AS w
        JOIN cognifold.node AS n ON n.tenant_id = dependent_plans.tenant AND n.kind = 'time' AND n.id <> w.node_id
             AND n.occurred_at = (w.before ->> 'occurred_at')::timestamptz AND n.occurred_precision = w.before ->> 'occurred_precision'
        WHERE w.relation = 'node' AND w.before ->> 'kind' = 'time'
    )
    SELECT p.plan_id, p.version
    FROM touching AS t
    JOIN cognifold.plan AS p ON p.tenant_id = dependent_plans.tenant AND p.plan_id = t.plan_id
    CROSS JOIN subject AS s
    LEFT JOIN cognifold.plan AS u ON u.tenant_id = dependent_plans.tenant AND u.plan_id = p.undoes
    WHERE p.version > s.version AND p.status = 'applied'
      AND coalesce(u.version <= s.version, true)  -- what undoes something later has taken itself out together with it
    ORDER BY p.version DESC;
END
$$;
COMMENT ON FUNCTION cognifold.dependent_plans(text, uuid) IS
    'Applied plans later than this one that stand in the way of its undo, newest first: they wrote a row it wrote, or a row (an edge, an annotation, evidence) of a node whose row it wrote, or did away with a node that a row would come back to or with the last other evidence of something. Internal: undo_plan calls it.';
