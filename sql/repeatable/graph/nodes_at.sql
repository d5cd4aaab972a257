-- nodes_at: nodes with their content as they were known at a moment of transaction time: all, or the named ones.
CREATE OR REPLACE FUNCTION cognifold.nodes_at(tenant text, moment timestamptz, ids uuid[] DEFAULT NULL)
RETURNS TABLE (
    id uuid, kind text, memory_type text, title text, content text, payload jsonb, occurred_at timestamptz, occurred_precision text,
    recorded_at timestamptz, actor text, source text, privacy_level text, emotional_weight real, reasoning text, merged_into uuid, plan_id uuid,
    altered boolean
)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH changed AS MATERIALIZED (
        SELECT i.node_id, i.image
        FROM cognifold.images_since(nodes_at.tenant, nodes_at.moment, 'node') AS i
        WHERE nodes_at.ids IS NULL
        UNION ALL
        SELECT f.node_id, f.before
        FROM (SELECT DISTINCT ON (j.node_id) j.node_id, j.before
              FROM cognifold.journal AS j
              JOIN cognifold.plan AS p ON p.tenant_id = j.tenant_id AND p.plan_id = j.plan_id AND p.applied_at > nodes_at.moment
              WHERE j.tenant_id = nodes_at.tenant AND j.node_id = ANY (nodes_at.ids) AND j.relation = 'node'
              ORDER BY j.node_id, p.version) AS f
    )
    SELECT n.id, n.kind, n.memory_type, n.title, c.content, c.payload, n.occurred_at, n.occurred_precision, n.recorded_at, n.actor, n.source,
           n.privacy_level, n.emotional_weight, n.reasoning, n.merged_into, n.plan_id, false
    FROM cognifold.node AS n
    JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
    WHERE n.tenant_id = nodes_at.tenant AND n.recorded_at <= nodes_at.moment AND (nodes_at.ids IS NULL OR n.id = ANY (nodes_at.ids))
      AND NOT EXISTS (SELECT FROM changed AS a WHERE a.node_id = n.id)
    UNION ALL
    SELECT r.id, r.kind, r.memory_type, r.title, a.image ->> 'content', NULLIF(a.image -> 'payload', 'null'), r.occurred_at, r.occurred_precision,
           r.recorded_at, r.actor, r.source, r.privacy_level, r.emotional_weight, r.reasoning, r.merged_into, r.plan_id, true
    FROM changed AS a
    CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.node, a.image) AS r
    WHERE a.image IS NOT NULL;
END
$$;
COMMENT ON FUNCTION cognifold.nodes_at(text, timestamptz, uuid[]) IS
    'Nodes with their content as they were known at a moment of transaction time; altered: a plan has changed them since. Internal: the views, recall and explain call it.';
