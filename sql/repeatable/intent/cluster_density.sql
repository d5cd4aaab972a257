-- cluster_density: how much a concept and what it is linked to weigh at a moment, and how closely they hang together.
CREATE OR REPLACE FUNCTION cognifold.cluster_density(tenant text, concept uuid, clock timestamptz)
RETURNS TABLE (members uuid[], mass double precision, cohesion double precision, density double precision)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH moment AS MATERIALIZED (
        SELECT cognifold.decay_integral(cluster_density.tenant, 'semantic', clock) AS decay, cognifold.setting('edge.fade', cluster_density.tenant) AS fade,
               cognifold.setting('intent.neighbours', cluster_density.tenant)::integer AS neighbours
    ), neighbour AS MATERIALIZED (
        SELECT a.node_id, max(a.weight) AS weight
        FROM moment AS m
        CROSS JOIN LATERAL (
            SELECT e.target_id AS node_id, least(1, cognifold.mass(e.potential, m.decay)) AS weight FROM cognifold.graph_edge AS e
            WHERE e.tenant_id = cluster_density.tenant AND e.source_id = concept AND e.target_kind = 'concept' AND e.source_kind = 'concept'
              AND NOT e.inferred AND e.type <> 'contradicts' AND e.stamped_at <= clock AND (e.faded_at IS NULL OR e.faded_at > clock)
            UNION ALL
            SELECT e.source_id, least(1, cognifold.mass(e.potential, m.decay)) FROM cognifold.graph_edge AS e
            WHERE e.tenant_id = cluster_density.tenant AND e.target_id = concept AND e.target_kind = 'concept' AND e.source_kind = 'concept'
              AND e.type IN ('part_of', 'derived_from', 'related_to')
              AND NOT e.inferred AND e.stamped_at <= clock AND (e.faded_at IS NULL OR e.faded_at > clock)
        ) AS a
        WHERE a.weight >= m.fade
          -- A theme has no events: it weighs nothing, and would only loosen what hangs together.
          AND EXISTS (SELECT FROM cognifold.concept_state AS s WHERE s.tenant_id = cluster_density.tenant AND s.node_id = a.node_id AND s.event_count > 0)
        GROUP BY a.node_id
        ORDER BY 2 DESC, a.node_id
        LIMIT (SELECT moment.neighbours FROM moment)
    ), cluster AS (
        SELECT ARRAY[concept] || coalesce(array_agg(n.node_id ORDER BY n.weight DESC, n.node_id), '{}') AS members FROM neighbour AS n
    ), weighed AS (
        SELECT cognifold.evidence_mass(cluster_density.tenant, concept, clock)
               + coalesce(sum(n.weight * cognifold.evidence_mass(cluster_density.tenant, n.node_id, clock) ORDER BY n.node_id), 0) AS mass
        FROM neighbour AS n
    ), alone AS (   -- the length of a sum of unit vectors over their number is their mean cosine to it
        SELECT CASE WHEN v.later THEN (
                   SELECT vector_norm(sum(b.vector::vector ORDER BY b.node_id)) / count(*)
                   FROM (SELECT DISTINCT e.source_id FROM cognifold.graph_edge AS e
                         JOIN cognifold.node AS n ON n.tenant_id = e.tenant_id AND n.id = e.source_id AND n.occurred_at <= clock
                         WHERE e.tenant_id = cluster_density.tenant AND e.target_id = concept AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred) AS g
                   JOIN cognifold.embedding AS b ON b.tenant_id = cluster_density.tenant AND b.model_id = (cognifold.tenant_model(cluster_density.tenant)).model_id
                                                AND b.kind = 'event' AND b.node_id = g.source_id)
               ELSE vector_norm(s.vector_sum) / NULLIF(s.vector_count, 0) END AS cohesion
        FROM cognifold.concept_state AS s
        CROSS JOIN LATERAL (
            SELECT EXISTS (SELECT FROM cognifold.graph_edge AS e
                           WHERE e.tenant_id = s.tenant_id AND e.target_id = s.node_id AND e.target_kind = 'concept'
                             AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred AND e.stamped_at > clock) AS later
        ) AS v
        WHERE s.tenant_id = cluster_density.tenant AND s.node_id = concept
    ), pair AS (    -- the strongest live edge between each two members; where there is none, none
        SELECT least(e.source_id, e.target_id) AS one, greatest(e.source_id, e.target_id) AS other,
               max(least(1, cognifold.mass(e.potential, m.decay))) AS weight
        FROM moment AS m CROSS JOIN cluster AS c
        JOIN cognifold.graph_edge AS e ON e.tenant_id = cluster_density.tenant AND e.source_id = ANY (c.members) AND e.target_id = ANY (c.members)
        WHERE NOT e.inferred AND e.type <> 'contradicts' AND e.stamped_at <= clock AND (e.faded_at IS NULL OR e.faded_at > clock)
          AND cognifold.mass(e.potential, m.decay) >= m.fade
        GROUP BY 1, 2
    ), held AS (
        SELECT least(1, coalesce(CASE WHEN cardinality(c.members) = 1 THEN (SELECT a.cohesion FROM alone AS a)
                                      ELSE (SELECT sum(p.weight ORDER BY p.one, p.other) FROM pair AS p)
                                           / (cardinality(c.members) * (cardinality(c.members) - 1) / 2.0) END, 0)) AS cohesion
        FROM cluster AS c
    )
    SELECT c.members, w.mass, h.cohesion, (1 - exp(-least(w.mass, 1000) / 2)) * (0.5 + 0.5 * h.cohesion)
    FROM cluster AS c CROSS JOIN weighed AS w CROSS JOIN held AS h;
END
$$;
COMMENT ON FUNCTION cognifold.cluster_density(text, uuid, timestamptz) IS
    'A concept with its strongest live concept neighbours (members, itself first; at most intent.neighbours), their weighted evidence mass, cohesion and density as density defines them. Internal.';
