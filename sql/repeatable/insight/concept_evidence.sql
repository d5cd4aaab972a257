-- concept_evidence: the latest events that are stated evidence for some concepts, in order of event time.
CREATE OR REPLACE FUNCTION cognifold.concept_evidence(tenant text, concepts uuid[], as_of timestamptz, maximum integer)
RETURNS TABLE (concept uuid, event_id uuid, occurred_at timestamptz, occurred_precision text, actor text, emotional_weight real)
LANGUAGE sql STABLE
SET search_path FROM CURRENT
-- A few rows by their keys, whatever the statistics say.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
    SELECT c.id, n.id, n.occurred_at, n.occurred_precision, n.actor, n.emotional_weight
    FROM unnest(concepts) AS c (id)
    CROSS JOIN LATERAL (   -- by potential, which an index has: with equal weights that is by time. What has faded is evidence still.
        SELECT e.source_id FROM (
            (SELECT g.source_id, g.potential FROM cognifold.graph_edge AS g
             WHERE g.tenant_id = concept_evidence.tenant AND g.target_id = c.id AND g.type = 'grounds' AND NOT g.inferred
             ORDER BY g.potential DESC LIMIT maximum)
            UNION ALL
            (SELECT g.source_id, g.potential FROM cognifold.graph_edge AS g
             WHERE g.tenant_id = concept_evidence.tenant AND g.target_id = c.id AND g.type = 'reinforces' AND NOT g.inferred
             ORDER BY g.potential DESC LIMIT maximum)
        ) AS e
        GROUP BY e.source_id ORDER BY max(e.potential) DESC, e.source_id LIMIT maximum
    ) AS e
    CROSS JOIN LATERAL (
        SELECT n.* FROM cognifold.node AS n
        WHERE n.tenant_id = concept_evidence.tenant AND n.id = e.source_id AND n.kind = 'event' AND n.occurred_at <= concept_evidence.as_of LIMIT 1
    ) AS n
    ORDER BY c.id, n.occurred_at, n.id
$$;
COMMENT ON FUNCTION cognifold.concept_evidence(text, uuid[], timestamptz, integer) IS
    'Up to maximum of the latest events behind each concept''s stated grounds and reinforces edges, faded or not, none later than as_of. Internal.';
