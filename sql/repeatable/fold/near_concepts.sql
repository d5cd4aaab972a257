-- near_concepts: the concepts that waiting events may be evidence for, nearest first.
CREATE OR REPLACE FUNCTION cognifold.near_concepts(tenant text, event_ids uuid[], maximum integer)
RETURNS TABLE (node_id uuid, likeness double precision)
LANGUAGE sql STABLE ROWS 10
SET search_path FROM CURRENT
-- As in propose_plan: planned once, and right for a full memory, too.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
    WITH subject AS MATERIALIZED (
        SELECT n.id, n.title, c.content, n.occurred_at,
               CASE WHEN m.provider = 'lexicon' THEN cognifold.focus(c.content, cognifold.setting('fold.focus', near_concepts.tenant))
                    ELSE e.vector::vector END AS vector
        FROM unnest(event_ids) AS w (id)
        CROSS JOIN cognifold.tenant_model(near_concepts.tenant) AS m
        JOIN cognifold.node AS n ON n.tenant_id = near_concepts.tenant AND n.id = w.id
        JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
        LEFT JOIN cognifold.embedding AS e ON e.tenant_id = n.tenant_id AND e.model_id = m.model_id AND e.kind = 'event' AND e.node_id = n.id
    ), word AS MATERIALIZED (
        SELECT s.id, r.lexeme, r.rarity / NULLIF(sum(r.rarity) OVER (PARTITION BY s.id), 0) AS share
        FROM subject AS s
        CROSS JOIN (SELECT t.document_count + cognifold.setting('fold.prior_documents', near_concepts.tenant) AS documents,
                           cognifold.setting('fold.maximum_postings', near_concepts.tenant) AS maximum_postings
                    FROM cognifold.lexical_statistics AS t WHERE t.tenant_id = near_concepts.tenant OFFSET 0) AS t
        CROSS JOIN LATERAL cognifold.word_rarity(near_concepts.tenant, cognifold.indexed_text(s.title, s.content), t.documents, t.maximum_postings) AS r
    ), sharing AS MATERIALIZED (
        SELECT w.id, l.node_id, sum(w.share * l.event_count) AS shared
        FROM word AS w
        JOIN cognifold.concept_lexeme AS l ON l.tenant_id = near_concepts.tenant AND l.lexeme = w.lexeme
        GROUP BY w.id, l.node_id
    ), candidate AS MATERIALIZED (   -- the latest, and older ones that share the most
        (SELECT c.node_id FROM cognifold.concept_state AS c WHERE c.tenant_id = near_concepts.tenant
         ORDER BY c.node_id DESC LIMIT cognifold.setting('fold.concepts', near_concepts.tenant)::integer)
        UNION
        (SELECT s.node_id FROM sharing AS s GROUP BY s.node_id
         ORDER BY max(s.shared) DESC, s.node_id DESC LIMIT cognifold.setting('fold.sharing', near_concepts.tenant)::integer)
    ), part AS (
        SELECT s.id, c.node_id, c.event_count, -(c.vector_sum <#> s.vector) / NULLIF(c.vector_count, 0) AS cosine, 0::double precision AS shared
        FROM cognifold.concept_state AS c
        CROSS JOIN subject AS s
        WHERE c.tenant_id = near_concepts.tenant AND c.node_id = ANY (ARRAY(SELECT o.node_id FROM candidate AS o)) AND c.event_count > 0
        UNION ALL
        SELECT s.id, s.node_id, NULL, NULL, s.shared FROM sharing AS s
    ), near AS (
        SELECT p.id, p.node_id, coalesce(max(p.cosine), 0) + coalesce(sum(p.shared) / max(p.event_count), 0) AS likeness
        FROM part AS p
        GROUP BY p.id, p.node_id
        HAVING max(p.event_count) > 0
    ), nearest AS MATERIALIZED (
        SELECT r.node_id, max(r.likeness) AS likeness FROM near AS r GROUP BY r.node_id
    )
    SELECT c.node_id, round(c.likeness::numeric, 9)::double precision
    FROM nearest AS c
    JOIN cognifold.node AS n ON n.tenant_id = near_concepts.tenant AND n.id = c.node_id AND n.merged_into IS NULL
    LEFT JOIN cognifold.attracting(
        near_concepts.tenant, ARRAY(SELECT o.node_id FROM nearest AS o), '{triggers}', (SELECT max(s.occurred_at) FROM subject AS s), NULL,
        cognifold.settings(near_concepts.tenant)) AS a ON a.node_id = c.node_id
    ORDER BY round((c.likeness + coalesce(a.pull * cognifold.setting('intent.attraction', near_concepts.tenant), 0))::numeric, 9) DESC, n.occurred_at, n.id
    LIMIT maximum
$$;
COMMENT ON FUNCTION cognifold.near_concepts(text, uuid[], integer) IS
    'Up to maximum concepts by their likeness to the event that is most like them: the mean cosine to their events plus the share of the event''s rarity that their common words carry. Looks at the latest concepts and at those that share rare words (settings fold.concepts, fold.sharing). Writes nothing, and so works for events that are not indexed yet. Internal.';
