-- superseded_by: the newer near-identical event that a summary concept shows in an event's place, or NULL.
CREATE OR REPLACE FUNCTION cognifold.superseded_by(tenant text, event uuid) RETURNS uuid
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT m.id
    FROM cognifold.graph_edge AS g
    JOIN cognifold.annotation AS a ON a.tenant_id = superseded_by.tenant AND a.node_id = g.target_id AND a.name = 'summary'
    JOIN cognifold.node AS m ON m.tenant_id = superseded_by.tenant AND m.id = (a.value ->> 'newest')::uuid
    JOIN cognifold.node AS n ON n.tenant_id = superseded_by.tenant AND n.id = superseded_by.event
    WHERE g.tenant_id = superseded_by.tenant AND g.source_id = superseded_by.event AND g.type IN ('grounds', 'reinforces') AND NOT g.inferred
      AND (m.occurred_at, m.id) > (n.occurred_at, n.id)
      -- The concept may have taken in other events since.
      AND cognifold.near_identical(superseded_by.tenant, n.id, m.id)
    ORDER BY m.occurred_at DESC, m.id DESC
    LIMIT 1
$$;
COMMENT ON FUNCTION cognifold.superseded_by(text, uuid) IS
    'The newest event of a summary concept (annotation "summary") that the event is stated evidence for, if that is newer and near-identical: the event need not wait a week of idleness to be archived. Internal.';
