-- explain: what a memory rests on, down to the verbatim events, in order.
CREATE OR REPLACE FUNCTION cognifold.explain(
    node_id uuid, as_of timestamptz DEFAULT NULL, known_at timestamptz DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (
    depth integer, id uuid, kind text, title text, content text, occurred_at timestamptz, actor text, source text,
    relation text, supports uuid, weight double precision, stated boolean, reasoning text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.scope_tenant(tenant);
    clock    timestamptz := coalesce(as_of, cognifold.now());
    moment   timestamptz;
    subject  uuid;
BEGIN
    IF cognifold.sees_in_part(tenant) THEN
        RETURN QUERY SELECT c.* FROM cognifold.cleared_explain(node_id, as_of, known_at, tenant) AS c;
        PERFORM cognifold.leave_tenant(previous);
        RETURN;
    END IF;
    moment := cognifold.refused_to_cleared(coalesce(known_at, cognifold.known_at()));
    subject := CASE WHEN moment IS NULL THEN cognifold.resolve_node(tenant, node_id)
                    ELSE (SELECT coalesce(n.merged_into, n.id) FROM cognifold.nodes_at(tenant, moment, ARRAY[node_id]) AS n) END;
    IF subject IS NULL THEN
        RAISE EXCEPTION 'node % % to tenant "%"', coalesce(node_id::text, 'NULL'),
            CASE WHEN moment IS NULL THEN 'is not known' ELSE format('was not known at %s', moment) END, tenant
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
        SELECT v.depth + 1, e.supporter, e.type, v.node_id, e.potential, e.rate, NOT e.inferred
        FROM evidence AS v
        CROSS JOIN LATERAL (
            SELECT s.supporter, s.type, s.rate, s.inferred,
                   CASE WHEN as_of IS NULL OR s.stamped_at <= as_of THEN s.potential
                        ELSE cognifold.potential_at(tenant, s.source_id, s.target_id, s.type, as_of) END AS potential
            FROM (
                SELECT g.source_id AS supporter, g.* FROM cognifold.graph_edge AS g
                WHERE moment IS NULL AND g.tenant_id = tenant AND g.target_id = v.node_id
                  AND g.type IN ('grounds', 'reinforces', 'part_of', 'triggers', 'causes', 'user_feedback', 'deadline_for')
                UNION ALL   -- a concept rests on what it was derived from
                SELECT g.target_id, g.* FROM cognifold.graph_edge AS g
                WHERE moment IS NULL AND g.tenant_id = tenant AND g.source_id = v.node_id AND g.type = 'derived_from'
                UNION ALL   -- the same, as it was known then
                SELECT CASE WHEN g.target_id = v.node_id THEN g.source_id ELSE g.target_id END, g.*
                FROM cognifold.edges_at(tenant, moment, v.node_id) AS g
                WHERE moment IS NOT NULL
                  AND CASE WHEN g.target_id = v.node_id
                           THEN g.type IN ('grounds', 'reinforces', 'part_of', 'triggers', 'causes', 'user_feedback', 'deadline_for')
                           ELSE g.type = 'derived_from' END
            ) AS s
        ) AS e
        LEFT JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = e.supporter  -- none: removed since known_at
        WHERE e.supporter <> subject AND v.depth < 8
          AND (as_of IS NULL OR n.id IS NULL OR n.occurred_at <= as_of OR n.kind = 'time')
          AND (as_of IS NULL OR e.potential IS NOT NULL)
    ), nearest AS MATERIALIZED (
        SELECT DISTINCT ON (v.node_id, v.relation, v.supports) v.* FROM evidence AS v ORDER BY v.node_id, v.relation, v.supports, v.depth
    ), told AS (
        SELECT n.id, n.kind, n.title, c.content, n.occurred_at, n.actor, n.source, n.reasoning, n.plan_id
        FROM cognifold.node AS n
        JOIN cognifold.node_text AS c ON c.tenant_id = tenant AND c.node_id = n.id
        WHERE moment IS NULL AND n.tenant_id = tenant AND n.id IN (SELECT v.node_id FROM nearest AS v)
        UNION ALL
        SELECT n.id, n.kind, n.title, n.content, n.occurred_at, n.actor, n.source, n.reasoning, n.plan_id
        FROM cognifold.nodes_at(tenant, moment, ARRAY(SELECT DISTINCT v.node_id FROM nearest AS v)) AS n
        WHERE moment IS NOT NULL
    )
    SELECT v.depth, n.id, n.kind, n.title, n.content, n.occurred_at, n.actor, n.source, v.relation, v.supports,
           CASE WHEN v.depth > 0 THEN least(1, cognifold.mass(v.potential, d.amount)) END, v.stated, coalesce(n.reasoning, p.reasoning)
    FROM nearest AS v
    JOIN told AS n ON n.id = v.node_id
    LEFT JOIN decay AS d ON d.rate = v.rate
    LEFT JOIN cognifold.plan AS p ON p.tenant_id = tenant AND p.plan_id = n.plan_id
    ORDER BY v.depth, n.occurred_at, n.id, v.relation, v.supports;
    PERFORM cognifold.note_read(tenant, 'explain', NULL, ARRAY[subject]);
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.explain(uuid, timestamptz, timestamptz, text) IS
    'What a node rests on: the node itself at depth 0, then its evidence level by level down to verbatim events, in order of event time. relation: the edge to supports; weight at as_of (event time), faded evidence included, each edge once at its least depth, down to eight levels; stated: false where it was inferred; reasoning: why the node was made. known_at: as the graph was known at that moment of transaction time, removed and merged nodes included (by default the setting cognifold.known_at, else now). A merged concept''s old id resolves. Raises CF021 for a node this tenant has not, or had not then.';
