-- orphan_links: for concepts that nothing living ever pointed at, the links that their neighbourhood suggests.
CREATE OR REPLACE FUNCTION cognifold.orphan_links(tenant text, concepts uuid[])
RETURNS TABLE (concept uuid, operation jsonb)
LANGUAGE plpgsql STABLE ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    own     cognifold.embedding_model := cognifold.tenant_model(tenant);
    maximum integer := cognifold.setting('consolidate.links', tenant)::integer;
    fade    double precision := cognifold.setting('edge.fade', tenant);
    bar     double precision := ln(fade);
BEGIN
    RETURN QUERY
    WITH orphan AS MATERIALIZED (
        SELECT n.id, n.title,
               -- Without evidence that has a vector, its own words tell where it belongs.
               coalesce((SELECT e.vector FROM cognifold.embedding AS e
                         WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'concept' AND e.node_id = n.id),
                        CASE WHEN own.provider = 'lexicon' THEN
                            (SELECT cognifold.embed(cognifold.indexed_text(n.title, c.content))::halfvec FROM cognifold.node_content AS c
                             WHERE c.tenant_id = tenant AND c.node_id = n.id) END) AS vector
        FROM unnest(concepts) AS o (id)
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = o.id AND n.kind = 'concept' AND n.merged_into IS NULL
        -- An edge was live once if its mass reached edge.fade when it was stated or the concept was made, whichever came
        -- later. One that has faded since shows disuse, and a concept out of use is left to sleep.
        LEFT JOIN LATERAL (   -- LIMIT: one look by index a concept, and no join of all edges, whatever the statistics say
            SELECT true AS lived FROM cognifold.graph_edge AS e
            WHERE e.tenant_id = tenant AND e.target_id = o.id
              AND e.potential >= bar + cognifold.decay_integral(tenant, e.rate, greatest(n.occurred_at, least(e.stamped_at, e.created_at)))
            LIMIT 1
        ) AS reached ON true
        LEFT JOIN LATERAL (
            SELECT true AS lived FROM cognifold.graph_edge AS e
            WHERE e.tenant_id = tenant AND e.source_id = o.id
              AND e.potential >= bar + cognifold.decay_integral(tenant, e.rate, greatest(n.occurred_at, least(e.stamped_at, e.created_at)))
            LIMIT 1
        ) AS reaching ON true
        WHERE reached.lived IS NULL AND reaching.lived IS NULL
    )
    SELECT o.id, jsonb_build_object(
               'op', 'ADD_EDGE', 'source', l.source, 'target', l.target, 'type', l.type, 'weight', l.weight, 'inferred', true,
               'reasoning', format('"%s" had no live link; cosine %s', o.title, round(l.weight, 3)))
    FROM orphan AS o
    CROSS JOIN LATERAL (
        (SELECT 1 AS place, e.node_id AS source, o.id AS target, 'grounds' AS type, least(1, round((-(e.vector <#> o.vector))::numeric, 6)) AS weight
         FROM cognifold.embedding AS e
         WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'event' AND -(e.vector <#> o.vector) >= greatest(own.complete, fade)
           -- Stated already, if never strongly: a guess adds nothing to what was said.
           AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                           WHERE g.tenant_id = tenant AND g.source_id = e.node_id AND g.target_id = o.id AND g.type IN ('grounds', 'reinforces'))
         ORDER BY e.vector <#> o.vector, e.node_id LIMIT maximum)
        UNION ALL
        (SELECT 2, o.id, e.node_id, 'related_to', least(1, round((-(e.vector <#> o.vector))::numeric, 6))
         FROM cognifold.embedding AS e
         WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'concept' AND e.node_id <> o.id
           AND -(e.vector <#> o.vector) >= greatest(own.complete, fade)
           AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                           WHERE g.tenant_id = tenant AND g.source_id = o.id AND g.target_id = e.node_id AND g.type = 'related_to')
         ORDER BY e.vector <#> o.vector, e.node_id LIMIT maximum)
    ) AS l
    ORDER BY o.id, l.place, l.weight DESC, l.source, l.target;
END
$$;
COMMENT ON FUNCTION cognifold.orphan_links(text, uuid[]) IS
    'Inferred grounds from the nearest events and related_to to the nearest concepts (cosine at least the model''s complete, weight = cosine) for those of the given concepts that never had a live edge, as ADD_EDGE operations. Internal.';
