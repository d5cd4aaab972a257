-- latest_evidence: the latest live events a concept rests on, with the weight of each.
CREATE OR REPLACE FUNCTION cognifold.latest_evidence(tenant text, concept uuid, clock timestamptz, settings jsonb)
RETURNS TABLE (event_id uuid, occurred_at timestamptz, mass double precision)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT e.source_id, n.occurred_at, sum(cognifold.mass(e.potential, d.decay))
    FROM (SELECT cognifold.decay_integral(latest_evidence.tenant, 'episodic', clock) AS decay) AS d
    CROSS JOIN LATERAL (
        SELECT g.source_id, g.potential FROM cognifold.graph_edge AS g
        WHERE g.tenant_id = latest_evidence.tenant AND g.target_id = concept AND g.target_kind = 'concept'
          AND g.type IN ('grounds', 'reinforces') AND NOT g.inferred
          AND g.stamped_at <= clock AND (g.faded_at IS NULL OR g.faded_at > clock)
        ORDER BY g.stamped_at DESC
        LIMIT (settings ->> 'intent.evidence')::integer
    ) AS e
    JOIN cognifold.node AS n ON n.tenant_id = latest_evidence.tenant AND n.id = e.source_id
    WHERE cognifold.mass(e.potential, d.decay) >= (settings ->> 'edge.fade')::double precision
    GROUP BY e.source_id, n.occurred_at;
END
$$;
COMMENT ON FUNCTION cognifold.latest_evidence(text, uuid, timestamptz, jsonb) IS
    'The events behind the latest intent.evidence stated, live evidence edges of a concept at a moment, with their mass. Internal.';
