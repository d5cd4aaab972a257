-- explain: what a memory rests on, down to the verbatim events, in order.
CREATE OR REPLACE FUNCTION cognifold.explain(
    node_id uuid, as_of timestamptz DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (
    depth integer, id uuid, kind text, title text, content text, occurred_at timestamptz, actor text, source text,
    relation text, supports uuid, weight double precision, stated boolean, reasoning text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    clock    timestamptz := coalesce(as_of, cognifold.now());
    subject  uuid := cognifold.resolve_node(tenant, explain.node_id);
BEGIN
    IF subject IS NULL THEN
        RAISE EXCEPTION 'node % is not known to tenant "%"', coalesce(explain.node_id::text, 'NULL'), tenant
            USING ERRCODE = 'CF021', HINT = 'recall returns node_id; ids of other tenants are not seen.';
    END IF;
    RETURN QUERY
    WITH RECURSIVE decay AS MATERIALIZED (
        SELECT r.rate, cognifold.decay_integral(tenant, r.rate, clock) AS amount
        FROM (VALUES ('episodic'), ('semantic')) AS r (rate)
    ), evidence AS (   -- UNION: what is reached on many ways is looked at once a level, however dense the graph
        SELECT 0 AS depth, subject AS node_id, NULL::text AS relation, NULL::uuid AS supports,
               NULL::double precision AS potential, NULL::text AS rate, NULL::boolean AS stated
        UNION
        SELECT v.depth + 1, e.supporter, e.type, v.node_id, cognifold.potential_at(tenant, e.source_id, e.target_id, e.type, as_of), e.rate, NOT e.inferred
        FROM evidence AS v
        CROSS JOIN LATERAL (
            SELECT g.source_id AS supporter, g.* FROM cognifold.graph_edge AS g
            WHERE g.tenant_id = tenant AND g.target_id = v.node_id
              AND g.type IN ('grounds', 'reinforces', 'part_of', 'triggers', 'causes', 'user_feedback', 'deadline_for')
            UNION ALL   -- a concept rests on what it was derived from
            SELECT g.target_id, g.* FROM cognifold.graph_edge AS g
            WHERE g.tenant_id = tenant AND g.source_id = v.node_id AND g.type = 'derived_from'
        ) AS e
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = e.supporter
        WHERE e.supporter <> subject AND v.depth < 8
          AND (as_of IS NULL OR n.occurred_at <= as_of OR n.kind = 'time')
          AND (as_of IS NULL OR e.stamped_at <= as_of OR cognifold.potential_at(tenant, e.source_id, e.target_id, e.type, as_of) IS NOT NULL)
    ), nearest AS (
        SELECT DISTINCT ON (v.node_id, v.relation, v.supports) v.* FROM evidence AS v ORDER BY v.node_id, v.relation, v.supports, v.depth
    )
    SELECT v.depth, n.id, n.kind, n.title, c.content, n.occurred_at, n.actor, n.source, v.relation, v.supports,
           CASE WHEN v.depth > 0 THEN least(1, cognifold.mass(v.potential, d.amount)) END, v.stated, coalesce(n.reasoning, p.reasoning)
    FROM nearest AS v
    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = v.node_id
    JOIN cognifold.node_content AS c ON c.tenant_id = tenant AND c.node_id = v.node_id
    LEFT JOIN decay AS d ON d.rate = v.rate
    LEFT JOIN cognifold.plan AS p ON p.tenant_id = tenant AND p.plan_id = n.plan_id
    ORDER BY v.depth, n.occurred_at, n.id, v.relation, v.supports;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.explain(uuid, timestamptz, text) IS
    'What a node rests on: the node itself at depth 0, then its evidence level by level down to verbatim events, in order of event time. relation: the edge to supports; weight at as_of, faded evidence included, each edge once at its least depth, down to eight levels; stated: false where it was inferred; reasoning: why the node was made. A merged concept''s old id resolves.';
