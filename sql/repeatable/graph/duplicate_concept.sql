-- duplicate_concept: the existing concept that a proposed one would only repeat, or NULL.
--
-- Looked for among concepts of the same title and those that share a word of it, the newest of each word: what that costs
-- does not grow with the graph.
CREATE OR REPLACE FUNCTION cognifold.duplicate_concept(tenant text, title text, grounded_in uuid[]) RETURNS uuid
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    own      cognifold.embedding_model := cognifold.tenant_model(duplicate_concept.tenant);
    key      text := left(lower(btrim(duplicate_concept.title)), 500);
    each     integer := cognifold.setting('plan.rivals', duplicate_concept.tenant)::integer;
    proposed halfvec;
BEGIN
    SELECT l2_normalize(avg(e.vector::vector))::halfvec INTO proposed
    FROM cognifold.embedding AS e
    WHERE e.tenant_id = duplicate_concept.tenant AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = ANY (duplicate_concept.grounded_in);
    RETURN (
        WITH rival AS MATERIALIZED (   -- the few that look alike are read closely
            SELECT n.id, n.title, true AS same_title
            FROM cognifold.node AS n
            WHERE n.tenant_id = duplicate_concept.tenant AND n.title_key = key AND n.kind = 'concept' AND n.merged_into IS NULL
              AND lower(btrim(n.title)) = lower(btrim(duplicate_concept.title))
              -- What has events is no theme, even of its name: a theme rests on its parts alone.
              AND (proposed IS NULL
                   OR EXISTS (SELECT FROM cognifold.concept_state AS s WHERE s.tenant_id = duplicate_concept.tenant AND s.node_id = n.id AND s.event_count > 0)
                   OR NOT EXISTS (SELECT FROM cognifold.graph_edge AS e WHERE e.tenant_id = duplicate_concept.tenant AND e.target_id = n.id
                                    AND e.type = 'part_of' AND e.source_kind = 'concept'))
            UNION ALL
            -- One event may speak of two things: concepts of the same events whose titles share no word are not the same.
            SELECT n.id, n.title, false
            FROM (SELECT DISTINCT p.node_id
                  FROM cognifold.lexemes(duplicate_concept.title) AS l
                  CROSS JOIN LATERAL (
                      SELECT p.node_id FROM cognifold.posting AS p
                      WHERE p.tenant_id = duplicate_concept.tenant AND p.lexeme = l.lexeme AND p.kind = 'concept'
                      ORDER BY p.impact DESC, p.node_id DESC LIMIT each  -- as the index has them: a concept's impact is 0
                  ) AS p
                  WHERE proposed IS NOT NULL) AS s
            JOIN cognifold.node AS n ON n.tenant_id = duplicate_concept.tenant AND n.id = s.node_id AND n.merged_into IS NULL
            WHERE n.title_key <> key
        ), near AS MATERIALIZED (
            SELECT r.id, r.title, r.same_title,
                   (SELECT 1 - (e.vector <=> proposed) FROM cognifold.embedding AS e
                    WHERE e.tenant_id = duplicate_concept.tenant AND e.model_id = own.model_id AND e.kind = 'concept' AND e.node_id = r.id) AS cosine
            FROM rival AS r
        )
        SELECT n.id FROM near AS n
        -- In this order: to see whether two texts conflict takes a hundred times as long as the rest.
        WHERE CASE WHEN n.same_title THEN true
                   WHEN n.cosine >= own."duplicate"
                   THEN EXISTS (SELECT FROM cognifold.lexemes(n.title) AS a
                                JOIN cognifold.lexemes(duplicate_concept.title) AS b ON b.lexeme = a.lexeme)
                   ELSE false END
          AND CASE WHEN n.same_title OR n.cosine >= own."duplicate"
                   THEN NOT cognifold.texts_conflict(duplicate_concept.tenant, n.title, duplicate_concept.title)
                   ELSE false END
        ORDER BY n.same_title DESC, n.cosine DESC NULLS LAST, n.id
        LIMIT 1);
END
$$;
COMMENT ON FUNCTION cognifold.duplicate_concept(text, text, uuid[]) IS
    'The concept that a proposed one repeats: of the same title, or with a word of its title in common and its events as near as the model''s duplicate threshold (of each word the newest plan.rivals concepts are looked at); texts that conflict never match. Internal.';
