-- concepts_at: what the view concept shows of a moment of transaction time.
CREATE OR REPLACE FUNCTION cognifold.concepts_at(tenant text, moment timestamptz) RETURNS TABLE (
    tenant_id text, id uuid, title text, content text, strength double precision, evidence_count integer, evidence_mass double precision,
    occurred_at timestamptz, recorded_at timestamptz, memory_type text, reasoning text, payload jsonb, merged_into uuid, plan_id uuid,
    access_count bigint, last_accessed timestamptz, dormant boolean
)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    clock    timestamptz := cognifold.now();
    episodic double precision := cognifold.decay_integral(concepts_at.tenant, 'episodic', clock);
    semantic double precision := cognifold.decay_integral(concepts_at.tenant, 'semantic', clock);
    fade     double precision := ln(cognifold.setting('edge.fade', concepts_at.tenant));
BEGIN
    RETURN QUERY
    WITH changed AS MATERIALIZED (
        SELECT i.node_id, (i.image ->> 'strength')::double precision AS strength, (i.image ->> 'evidence_count')::integer AS evidence_count,
               (i.image ->> 'evidence_potential')::double precision AS evidence_potential
        FROM cognifold.images_since(concepts_at.tenant, concepts_at.moment, 'concept_state') AS i
    ), live AS MATERIALIZED (   -- nodes at either end of an edge that has not faded
        SELECT DISTINCT v.id
        FROM cognifold.edges_at(concepts_at.tenant, concepts_at.moment) AS e
        CROSS JOIN LATERAL (VALUES (e.source_id), (e.target_id)) AS v (id)
        WHERE e.faded_at IS NULL AND e.potential >= fade + CASE e.rate WHEN 'episodic' THEN episodic ELSE semantic END
    )
    SELECT concepts_at.tenant, n.id, n.title, n.content, s.strength, s.evidence_count, coalesce(cognifold.mass(s.evidence_potential, episodic), 0),
           n.occurred_at, n.recorded_at, n.memory_type, n.reasoning, n.payload, n.merged_into, n.plan_id,
           coalesce(h.access_count, 0), h.last_accessed, n.merged_into IS NULL AND NOT EXISTS (SELECT FROM live AS l WHERE l.id = n.id)
    FROM cognifold.nodes_at(concepts_at.tenant, concepts_at.moment) AS n
    CROSS JOIN LATERAL (
        SELECT c.strength, c.evidence_count, c.evidence_potential FROM changed AS c WHERE c.node_id = n.id
        UNION ALL
        SELECT c.strength, c.evidence_count, c.evidence_potential FROM cognifold.concept_state AS c
        WHERE c.tenant_id = concepts_at.tenant AND c.node_id = n.id AND NOT EXISTS (SELECT FROM changed AS o WHERE o.node_id = n.id)
    ) AS s
    LEFT JOIN cognifold.node_state AS h ON h.tenant_id = concepts_at.tenant AND h.node_id = n.id
    WHERE n.kind = 'concept';
END
$$;
COMMENT ON FUNCTION cognifold.concepts_at(text, timestamptz) IS
    'The rows of the view concept as they were known at a moment of transaction time, weighed at the memory''s clock; accesses are as of today. Internal: the view calls it.';
