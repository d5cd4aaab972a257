-- due_clusters: the concepts that emit_intents must look at by a moment: those noted, and what they are linked to.
CREATE OR REPLACE FUNCTION cognifold.due_clusters(tenant text, clock timestamptz) RETURNS TABLE (node_id uuid)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT DISTINCT n.id
    FROM (SELECT DISTINCT q.node_id
          FROM cognifold.intent_due AS q
          JOIN cognifold.concept_state AS s ON s.tenant_id = q.tenant_id AND s.node_id = q.node_id   -- events have strands instead
          WHERE q.tenant_id = due_clusters.tenant AND q.due_at <= clock) AS q
    CROSS JOIN LATERAL cognifold.cluster_density(due_clusters.tenant, q.node_id, clock) AS d
    CROSS JOIN LATERAL unnest(d.members) AS m (node_id)
    JOIN cognifold.node AS n ON n.tenant_id = due_clusters.tenant AND n.id = m.node_id AND n.merged_into IS NULL;
END
$$;
COMMENT ON FUNCTION cognifold.due_clusters(text, timestamptz) IS 'The concepts noted in intent_due by a moment, with their live concept neighbours. Internal.';
