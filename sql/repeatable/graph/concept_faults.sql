-- concept_faults: which concepts are not what their evidence makes of them.
CREATE OR REPLACE FUNCTION cognifold.concept_faults(tenant text) RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    RETURN QUERY
    SELECT 'a concept or intent has provenance', n.id::text, n.title FROM cognifold.node AS n
    WHERE n.tenant_id = tenant AND n.kind IN ('concept', 'intent') AND n.merged_into IS NULL
      AND NOT cognifold.has_provenance(tenant, n.id)
    UNION ALL
    SELECT 'every concept has its state', n.id::text, n.title FROM cognifold.node AS n
    WHERE n.tenant_id = tenant AND n.kind = 'concept'
      AND NOT EXISTS (SELECT FROM cognifold.concept_state AS c WHERE c.tenant_id = tenant AND c.node_id = n.id)
    UNION ALL
    SELECT 'evidence mass is the sum of the edges', c.node_id::text,
           format('kept %s, summed %s', c.evidence_potential, cognifold.evidence_potential(tenant, c.node_id))
    FROM cognifold.concept_state AS c
    WHERE c.tenant_id = tenant
      AND coalesce(abs(c.evidence_potential - cognifold.evidence_potential(tenant, c.node_id))
                   > greatest(1e-9, 1e-14 * abs(c.evidence_potential)),  -- the mass to 1e-9, as far as doubles reach
                   (c.evidence_potential IS NULL) <> (cognifold.evidence_potential(tenant, c.node_id) IS NULL))
    UNION ALL
    SELECT 'a concept counts its events', c.node_id::text, format('kept %s, counted %s', c.event_count, coalesce(v.events, 0))
    FROM cognifold.concept_state AS c
    LEFT JOIN (
        SELECT e.target_id, count(DISTINCT e.source_id) AS events FROM cognifold.graph_edge AS e
        WHERE e.tenant_id = tenant AND e.type IN ('grounds', 'reinforces') AND e.target_kind = 'concept' AND NOT e.inferred
        GROUP BY e.target_id
    ) AS v ON v.target_id = c.node_id
    WHERE c.tenant_id = tenant AND c.event_count <> coalesce(v.events, 0)
    UNION ALL
    SELECT 'a concept''s vector is the mean of its events'' vectors', c.node_id::text,
           format('%s of %s vectors, cosine to the mean %s', c.vector_count, v.number, 1 - (v.total <=> c.vector_sum))
    FROM cognifold.concept_state AS c
    CROSS JOIN cognifold.tenant_model(tenant) AS m
    JOIN LATERAL (
        SELECT sum(b.vector::vector) AS total, count(*) AS number
        FROM (SELECT DISTINCT e.source_id FROM cognifold.graph_edge AS e
              WHERE e.tenant_id = tenant AND e.target_id = c.node_id AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred) AS g
        JOIN cognifold.embedding AS b ON b.tenant_id = tenant AND b.model_id = m.model_id AND b.kind = 'event' AND b.node_id = g.source_id
    ) AS v ON true
    WHERE c.tenant_id = tenant
      AND (v.number <> c.vector_count
           OR v.number > 0 AND vector_norm(v.total) > 1e-3 AND coalesce(1 - (v.total <=> c.vector_sum), 0) < 0.999)
    UNION ALL
    SELECT 'a concept is found by its mean', c.node_id::text,
           CASE WHEN b.vector IS NULL THEN 'it has no vector' WHEN c.vector_sum IS NULL THEN 'it has a vector of nothing'
                ELSE format('cosine %s', 1 - (b.vector::vector <=> c.vector_sum)) END
    FROM cognifold.concept_state AS c
    CROSS JOIN cognifold.tenant_model(tenant) AS m
    LEFT JOIN cognifold.embedding AS b ON b.tenant_id = tenant AND b.model_id = m.model_id AND b.kind = 'concept' AND b.node_id = c.node_id
    WHERE c.tenant_id = tenant AND coalesce(vector_norm(c.vector_sum) > 1e-3, false)
          AND coalesce(1 - (b.vector::vector <=> c.vector_sum), 0) < 0.999
       OR c.tenant_id = tenant AND c.vector_sum IS NULL AND b.vector IS NOT NULL
    UNION ALL
    SELECT 'a concept''s words are those of its events', coalesce(k.node_id, w.node_id)::text,
           format('"%s" kept for %s events, counted %s', coalesce(k.lexeme, w.lexeme), coalesce(k.event_count, 0), coalesce(w.events, 0))
    FROM (SELECT l.node_id, l.lexeme, l.event_count FROM cognifold.concept_lexeme AS l WHERE l.tenant_id = tenant) AS k
    FULL JOIN (
        SELECT g.target_id AS node_id, p.lexeme, count(*) AS events
        FROM (SELECT DISTINCT e.source_id, e.target_id FROM cognifold.graph_edge AS e
              WHERE e.tenant_id = tenant AND e.type IN ('grounds', 'reinforces') AND e.target_kind = 'concept' AND NOT e.inferred) AS g
        JOIN cognifold.posting AS p ON p.tenant_id = tenant AND p.node_id = g.source_id
        GROUP BY g.target_id, p.lexeme
    ) AS w ON w.node_id = k.node_id AND w.lexeme = k.lexeme
    WHERE coalesce(k.event_count, 0) <> coalesce(w.events, 0);
END
$$;
COMMENT ON FUNCTION cognifold.concept_faults(text) IS
    'Concepts and intents without provenance, and concepts whose evidence mass, events, vector or words are not those of their stated grounds and reinforces edges. Internal: for check.';
