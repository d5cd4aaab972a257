-- evidence_potential: a concept's evidence mass summed afresh from its edges.
CREATE OR REPLACE FUNCTION cognifold.evidence_potential(tenant text, concept uuid) RETURNS double precision
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT cognifold.logsumexp(e.potential ORDER BY e.potential)
    FROM cognifold.graph_edge AS e
    WHERE e.tenant_id = evidence_potential.tenant AND e.target_id = concept
      AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred
$$;
COMMENT ON FUNCTION cognifold.evidence_potential(text, uuid) IS
    'ln of a concept''s evidence mass plus D, summed from its stated grounds and reinforces edges, faded or not. What concept_state keeps incrementally.';
