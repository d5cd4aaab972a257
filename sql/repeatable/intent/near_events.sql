-- near_events: which events of a span of time are about what an event is about.
--
-- Affinity is how much more alike two events are than either is to the tenant's events at large (so that texts which are like
-- everything, full of numbers or names of days, are near to nothing), plus the share of the event's rarity that their common words
-- carry.
CREATE OR REPLACE FUNCTION cognifold.near_events(tenant text, event_id uuid, since timestamptz, until timestamptz, settings jsonb)
RETURNS TABLE (near_id uuid, occurred_at timestamptz, affinity double precision)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
-- A few hundred rows looked up by their keys, whatever the size of the tenant when the plan was made.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    own        cognifold.embedding_model := cognifold.tenant_model(tenant);
    stored     halfvec;
    words      text;
    direction  halfvec;               -- of the sum of all events' vectors
    length     double precision := 0; -- and its length
    number     double precision := 0; -- of events in it
    prior      CONSTANT double precision := settings ->> 'fold.usual_weight';
    lexemes    text[];
    rarities   double precision[];
    candidates uuid[];
BEGIN
    SELECT e.vector, cognifold.indexed_text(n.title, c.content) INTO stored, words
    FROM cognifold.node AS n
    JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
    LEFT JOIN cognifold.embedding AS e ON e.tenant_id = n.tenant_id AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = n.id
    WHERE n.tenant_id = near_events.tenant AND n.id = near_events.event_id;
    IF stored IS NULL THEN
        RETURN;
    END IF;
    SELECT l2_normalize(s.vector_sum)::halfvec, vector_norm(s.vector_sum), s.vector_count INTO direction, length, number
    FROM cognifold.embedding_statistics AS s WHERE s.tenant_id = near_events.tenant AND s.model_id = own.model_id AND s.vector_count > 0;
    SELECT array_agg(w.lexeme ORDER BY w.lexeme), array_agg(w.rarity ORDER BY w.lexeme) INTO lexemes, rarities
    FROM cognifold.lexical_statistics AS s
    CROSS JOIN LATERAL cognifold.word_rarity(near_events.tenant, words, s.document_count + (settings ->> 'fold.prior_documents')::double precision,
                                             (settings ->> 'fold.maximum_postings')::double precision) AS w
    WHERE s.tenant_id = near_events.tenant;

    -- The latest ones, what the fold found alike, and the latest evidence for the same concepts.
    candidates := ARRAY(
        SELECT c.id FROM (
            (SELECT n.id FROM cognifold.node AS n
             WHERE n.tenant_id = near_events.tenant AND n.kind = 'event' AND n.occurred_at >= since AND n.occurred_at <= until
             ORDER BY n.occurred_at DESC, n.id DESC LIMIT (settings ->> 'intent.strand_latest')::integer)
            UNION
            (SELECT e.target_id FROM cognifold.graph_edge AS e
             WHERE e.tenant_id = near_events.tenant AND e.source_id = near_events.event_id AND e.type = 'related_to' AND e.target_kind = 'event'
             LIMIT (settings ->> 'intent.evidence')::integer)
            UNION
            (SELECT e.source_id FROM cognifold.graph_edge AS e
             WHERE e.tenant_id = near_events.tenant AND e.target_id = near_events.event_id AND e.type = 'related_to' AND e.source_kind = 'event'
             ORDER BY e.potential DESC LIMIT (settings ->> 'intent.evidence')::integer)
            UNION
            SELECT g.source_id
            FROM cognifold.graph_edge AS e
            CROSS JOIN LATERAL (
                SELECT o.source_id FROM cognifold.graph_edge AS o
                WHERE o.tenant_id = e.tenant_id AND o.target_id = e.target_id AND o.target_kind = 'concept' AND o.type IN ('grounds', 'reinforces')
                  AND NOT o.inferred
                ORDER BY o.stamped_at DESC LIMIT (settings ->> 'intent.evidence')::integer
            ) AS g
            WHERE e.tenant_id = near_events.tenant AND e.source_id = near_events.event_id AND e.target_kind = 'concept'
              AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred
        ) AS c (id)
        WHERE c.id <> near_events.event_id);

    RETURN QUERY
    WITH usual AS MATERIALIZED (   -- the event's own likeness to all others; itself is in the sum, with cosine 1
        SELECT (own.usual * prior + greatest(-coalesce(stored <#> direction, 0) * length - 1, 0)) / greatest(prior + number - 1, 1) AS cosine
    ), shared AS MATERIALIZED (
        SELECT p.node_id,
               sum(rarities[array_position(lexemes, p.lexeme COLLATE "C")]) / (SELECT sum(r) FROM unnest(rarities) AS r) AS share
        FROM cognifold.posting AS p
        WHERE p.tenant_id = near_events.tenant AND p.node_id = ANY (candidates) AND p.kind = 'event' AND p.lexeme = ANY (lexemes)
        GROUP BY p.node_id
    )
    SELECT c.id, n.occurred_at,
           round((-(e.vector <#> stored)
                  - (u.cosine + (own.usual * prior + greatest(-coalesce(e.vector <#> direction, 0) * length - 1, 0)) / greatest(prior + number - 1, 1)) / 2
                  + coalesce(s.share, 0))::numeric, 9)::double precision
    FROM unnest(candidates) AS c (id)
    -- Each by its key: a join would read every event of the span for each of them.
    CROSS JOIN LATERAL (
        SELECT k.occurred_at FROM cognifold.node AS k
        WHERE k.tenant_id = near_events.tenant AND k.id = c.id AND k.kind = 'event' AND k.occurred_at >= since AND k.occurred_at <= until
        LIMIT 1
    ) AS n
    JOIN cognifold.embedding AS e ON e.tenant_id = near_events.tenant AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = c.id
    CROSS JOIN usual AS u
    LEFT JOIN shared AS s ON s.node_id = c.id;
END
$$;
COMMENT ON FUNCTION cognifold.near_events(text, uuid, timestamptz, timestamptz, jsonb) IS
    'The events between two moments, both included, with their affinity to one event: cosine, less the mean of what is usual for either, plus the share of the event''s rarity that their common words carry. Looks at the latest intent.strand_latest of them, and at those linked with the event or evidence for its concepts. Internal.';
