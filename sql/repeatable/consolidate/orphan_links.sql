-- orphan_links: for concepts that nothing living ever pointed at, the links that their neighbourhood suggests.
CREATE OR REPLACE FUNCTION cognifold.orphan_links(tenant text, concepts uuid[], as_of timestamptz)
RETURNS TABLE (concept uuid, operation jsonb)
LANGUAGE plpgsql STABLE ROWS 10
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    own     cognifold.embedding_model := cognifold.tenant_model(tenant);
    maximum integer := cognifold.setting('consolidate.links', tenant)::integer;
    fade    double precision := cognifold.setting('edge.fade', tenant);
    bar     double precision := ln(fade);
    enough  double precision := greatest(own.complete, fade);
    orphans uuid[];
    vectors halfvec[];
    stated  integer;   -- links that one of them has already, if never strongly: so many more neighbours are asked for
BEGIN
    SELECT array_agg(n.id ORDER BY n.id) INTO orphans
    FROM unnest(concepts) AS o (id)
    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = o.id AND n.kind = 'concept' AND n.merged_into IS NULL
    -- An edge was live once if its mass reached edge.fade when it was stated or the concept was made, whichever came
    -- later. One that has faded since shows disuse, and a concept out of use is left to sleep. What this pass itself has
    -- guessed a moment ago, for another orphan, does not count: which comes first must make no difference.
    LEFT JOIN LATERAL (   -- LIMIT: one look by index a concept, and no join of all edges, whatever the statistics say
        SELECT true AS lived FROM cognifold.graph_edge AS e
        WHERE e.tenant_id = tenant AND e.target_id = o.id AND NOT (e.inferred AND e.created_at = as_of)
          AND e.potential >= bar + cognifold.decay_integral(tenant, e.rate, greatest(n.occurred_at, least(e.stamped_at, e.created_at)))
        LIMIT 1
    ) AS reached ON true
    LEFT JOIN LATERAL (
        SELECT true AS lived FROM cognifold.graph_edge AS e
        WHERE e.tenant_id = tenant AND e.source_id = o.id AND NOT (e.inferred AND e.created_at = as_of)
          AND e.potential >= bar + cognifold.decay_integral(tenant, e.rate, greatest(n.occurred_at, least(e.stamped_at, e.created_at)))
        LIMIT 1
    ) AS reaching ON true
    WHERE reached.lived IS NULL AND reaching.lived IS NULL;
    IF orphans IS NULL THEN
        RETURN;
    END IF;
    SELECT max(t.edges) INTO stated
    FROM unnest(orphans) AS o (id)
    CROSS JOIN LATERAL (
        SELECT count(*)::integer AS edges
        FROM (SELECT FROM cognifold.graph_edge AS e WHERE e.tenant_id = tenant AND e.target_id = o.id
              UNION ALL
              SELECT FROM cognifold.graph_edge AS e WHERE e.tenant_id = tenant AND e.source_id = o.id) AS e
    ) AS t;
    -- Without evidence that has a vector, its own words tell where it belongs.
    SELECT array_agg(v.id ORDER BY v.id), array_agg(v.vector ORDER BY v.id) INTO orphans, vectors
    FROM (SELECT o.id,
                 coalesce((SELECT e.vector FROM cognifold.embedding AS e
                           WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'concept' AND e.node_id = o.id),
                          CASE WHEN own.provider = 'lexicon' THEN
                              (SELECT cognifold.embed(cognifold.indexed_text(n.title, c.content))::halfvec
                               FROM cognifold.node AS n
                               JOIN cognifold.node_content AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
                               WHERE n.tenant_id = tenant AND n.id = o.id) END) AS vector
          FROM unnest(orphans) AS o (id)) AS v
    WHERE v.vector IS NOT NULL;
    RETURN QUERY
    WITH orphan AS MATERIALIZED (
        SELECT o.id, o.vector, n.title
        FROM unnest(orphans, vectors) AS o (id, vector)
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = o.id
    ), near AS MATERIALIZED (
        SELECT n.asking AS concept, n.neighbour, n.cosine
        FROM cognifold.near_of_kind(tenant, 'concept', orphans, vectors, enough, maximum + stated) AS n
    )
    SELECT o.id, jsonb_build_object(
               'op', 'ADD_EDGE', 'source', l.source, 'target', l.target, 'type', l.type, 'weight', l.weight, 'inferred', true,
               'reasoning', format('"%s" had no live link; cosine %s', o.title, round(l.weight, 3)))
    FROM orphan AS o
    CROSS JOIN LATERAL (
        (SELECT 1 AS place, e.node_id AS source, o.id AS target, 'grounds' AS type, least(1, round((-(e.vector <#> o.vector))::numeric, 6)) AS weight
         FROM cognifold.near_vectors(tenant, own.model_id, o.vector, cognifold.narrowed(ARRAY['event'], NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
                                     maximum + stated) AS v
         JOIN cognifold.embedding AS e ON e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = v.node_id
         WHERE -(e.vector <#> o.vector) >= enough
           -- Stated already, if never strongly: a guess adds nothing to what was said.
           AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                           WHERE g.tenant_id = tenant AND g.source_id = e.node_id AND g.target_id = o.id AND g.type IN ('grounds', 'reinforces'))
         ORDER BY e.vector <#> o.vector, e.node_id LIMIT maximum)
        UNION ALL
        (SELECT 2, o.id, n.neighbour, 'related_to', least(1, round(n.cosine, 6))
         FROM near AS n
         WHERE n.concept = o.id
           AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                           WHERE g.tenant_id = tenant AND g.source_id = o.id AND g.target_id = n.neighbour AND g.type = 'related_to')
         ORDER BY n.cosine DESC, n.neighbour LIMIT maximum)
    ) AS l
    ORDER BY o.id, l.place, l.weight DESC, l.source, l.target;
END
$$;
COMMENT ON FUNCTION cognifold.orphan_links(text, uuid[], timestamptz) IS
    'Inferred grounds from the nearest events and related_to to the nearest concepts (cosine at least the model''s complete, weight = cosine) for those of the given concepts that never had a live edge but what a pass as of that moment has guessed, as ADD_EDGE operations. The neighbours are found exactly in small memories, by an index in large ones. Internal.';
