-- dormant_concepts: those of some concepts all of whose edges have faded by a moment, with the strongest thing each ever rested on.
CREATE OR REPLACE FUNCTION cognifold.dormant_concepts(tenant text, concepts uuid[], moment timestamptz)
RETURNS TABLE (concept uuid, source_id uuid, type text)
LANGUAGE sql STABLE ROWS 1
SET search_path FROM CURRENT
AS $$
    WITH bar AS MATERIALIZED (
        SELECT DISTINCT c.id AS concept, b.episodic, b.semantic
        FROM unnest(concepts) AS c (id)
        CROSS JOIN (SELECT max(b.bar) FILTER (WHERE b.rate = 'episodic') AS episodic, max(b.bar) FILTER (WHERE b.rate = 'semantic') AS semantic
                    FROM cognifold.fading_bars(tenant, moment) AS b) AS b
    ), dormant AS MATERIALIZED (   -- three looks at the strongest live edge; a new concept, which has no edge yet, falls out below
        SELECT b.* FROM bar AS b
        WHERE NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                          WHERE g.tenant_id = tenant AND g.target_id = b.concept AND g.faded_at IS NULL
                            AND g.rate = 'episodic' AND g.potential >= b.episodic)
          AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                          WHERE g.tenant_id = tenant AND g.target_id = b.concept AND g.faded_at IS NULL
                            AND g.rate = 'semantic' AND g.potential >= b.semantic)
          AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                          WHERE g.tenant_id = tenant AND g.source_id = b.concept AND g.faded_at IS NULL
                            AND g.rate = 'semantic' AND g.potential >= b.semantic)
    )
    SELECT d.concept, s.source_id, s.type
    FROM dormant AS d
    CROSS JOIN LATERAL (
        SELECT e.source_id, e.type, e.potential FROM cognifold.graph_edge AS e
        WHERE e.tenant_id = tenant AND e.target_id = d.concept AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred
        ORDER BY e.potential DESC, e.source_id, e.type
        LIMIT 1
    ) AS s
    WHERE s.potential < d.episodic  -- else a pass of a later moment took it out, and at this one it was live
$$;
COMMENT ON FUNCTION cognifold.dormant_concepts(text, uuid[], timestamptz) IS
    'Of the given concepts those that have no live edge at a moment, each with the key of its strongest stated provenance. Internal: wake_concepts and learn_recalls ask.';
