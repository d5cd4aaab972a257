-- evidence_mass: what a concept's evidence weighs at a moment, without what came later.
CREATE OR REPLACE FUNCTION cognifold.evidence_mass(tenant text, concept uuid, clock timestamptz) RETURNS double precision
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN (
        SELECT coalesce(CASE
            -- Nothing later: the one number that is kept. Else the edges, as they were then.
            WHEN NOT EXISTS (
                SELECT FROM cognifold.graph_edge AS e
                WHERE e.tenant_id = s.tenant_id AND e.target_id = s.node_id AND e.target_kind = 'concept'
                  AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred AND e.stamped_at > clock)
            THEN cognifold.mass(s.evidence_potential, d.decay)
            ELSE (
                SELECT sum(cognifold.mass(cognifold.potential_at(s.tenant_id, e.source_id, e.target_id, e.type, clock), d.decay))
                FROM cognifold.graph_edge AS e
                JOIN cognifold.node AS n ON n.tenant_id = e.tenant_id AND n.id = e.source_id AND n.occurred_at <= clock
                WHERE e.tenant_id = s.tenant_id AND e.target_id = s.node_id AND e.target_kind = 'concept'
                  AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred)
            END, 0)
        FROM cognifold.concept_state AS s
        CROSS JOIN LATERAL (SELECT cognifold.decay_integral(s.tenant_id, 'episodic', clock) AS decay) AS d
        WHERE s.tenant_id = evidence_mass.tenant AND s.node_id = concept);
END
$$;
COMMENT ON FUNCTION cognifold.evidence_mass(text, uuid, timestamptz) IS
    'Mass of a concept''s stated evidence at a moment, events after it left out: an appointment of next month is no evidence yet. Internal.';
