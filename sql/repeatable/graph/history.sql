-- history: what was done to a node, plan by plan.
CREATE OR REPLACE FUNCTION cognifold.history(
    node_id uuid, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (
    version bigint, plan_id uuid, applied_at timestamptz, proposer text, status text, relation text, change text,
    other_id uuid, part text, before jsonb, reasoning text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 100
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(tenant);
BEGIN
    IF NOT EXISTS (SELECT FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = history.node_id)
       AND NOT EXISTS (SELECT FROM cognifold.journal AS j WHERE j.tenant_id = tenant AND j.node_id = history.node_id)
    THEN
        RAISE EXCEPTION 'node % is not known to tenant "%"', coalesce(history.node_id::text, 'NULL'), tenant
            USING ERRCODE = 'CF021', HINT = 'recall returns node_id; ids of other tenants are not seen.';
    END IF;
    RETURN QUERY
    WITH entry AS MATERIALIZED (
        SELECT j.plan_id, j.position, j.relation, j.node_id, j.other_id, j.part, j.before
        FROM cognifold.journal AS j WHERE j.tenant_id = tenant AND j.node_id = history.node_id
        UNION ALL
        SELECT j.plan_id, j.position, j.relation, j.node_id, j.other_id, j.part, j.before
        FROM cognifold.journal AS j WHERE j.tenant_id = tenant AND j.other_id = history.node_id
    ), told AS (
        -- A row is gone after a plan if the next plan that wrote it found nothing there, or, after the last, if nothing is there now.
        SELECT e.*, p.version,
               lead(coalesce(e.before, 'null') = 'null') OVER (PARTITION BY e.relation, e.node_id, e.other_id, e.part ORDER BY p.version) AS gone
        FROM entry AS e JOIN cognifold.plan AS p ON p.tenant_id = tenant AND p.plan_id = e.plan_id
    ), present AS MATERIALIZED (
        SELECT r.relation, r.node_id, r.other_id, r.part, coalesce(r.before, 'null') = 'null' AS gone
        FROM jsonb_to_recordset(cognifold.row_images(tenant, (
                 SELECT coalesce(jsonb_agg(jsonb_build_object('relation', t.relation, 'node_id', t.node_id, 'other_id', t.other_id, 'part', t.part)), '[]')
                 FROM told AS t WHERE t.gone IS NULL))) AS r (relation text, node_id uuid, other_id uuid, part text, before jsonb)
    )
    SELECT p.version, p.plan_id, p.applied_at, p.proposer, p.status, t.relation,
           CASE WHEN coalesce(t.gone, n.gone) THEN 'removed' WHEN t.before IS NULL THEN 'made' ELSE 'changed' END,
           CASE WHEN t.other_id = history.node_id THEN t.node_id ELSE t.other_id END, t.part, t.before,
           coalesce((SELECT string_agg(DISTINCT o.value ->> 'reasoning', '; ') FROM jsonb_array_elements(p.operations) AS o
                     WHERE o.value::text LIKE '%' || history.node_id || '%'), NULLIF(p.reasoning, ''))
    FROM told AS t
    JOIN cognifold.plan AS p ON p.tenant_id = tenant AND p.plan_id = t.plan_id
    LEFT JOIN present AS n ON n.relation = t.relation AND n.node_id = t.node_id AND n.other_id IS NOT DISTINCT FROM t.other_id
                          AND n.part IS NOT DISTINCT FROM t.part AND t.gone IS NULL
    ORDER BY p.version, t.position;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.history(uuid, text) IS
    'Every change of a node, its edges, evidence and annotations, oldest first: the plan with its version, who proposed it and whether it was undone since; relation, the kind of row, and change: made, changed or removed; other_id: the other end of an edge; part: its type, or an annotation''s name; before: the row as it was; reasoning: the plan''s reasons that name the node, else the plan''s own. Also for nodes that are merged or removed. Raises CF021 for what this tenant never had.';
