-- duplicate_concept: the existing concept that a proposed one would only repeat, or NULL.
CREATE OR REPLACE FUNCTION cognifold.duplicate_concept(tenant text, title text, grounded_in uuid[]) RETURNS uuid
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    WITH model AS MATERIALIZED (
        SELECT m.model_id, m."duplicate" FROM cognifold.tenant_model(tenant) AS m
    ), proposed AS MATERIALIZED (
        SELECT l2_normalize(avg(e.vector::vector))::halfvec AS vector
        FROM model AS m
        JOIN cognifold.embedding AS e ON e.tenant_id = duplicate_concept.tenant AND e.model_id = m.model_id AND e.kind = 'event'
                                     AND e.node_id = ANY (grounded_in)
    ), rival AS MATERIALIZED (   -- the few that look alike are read closely
        SELECT n.id, n.title, lower(btrim(n.title)) = lower(btrim(duplicate_concept.title)) AS same_title,
               1 - (e.vector <=> p.vector) AS cosine
        FROM cognifold.node AS n
        CROSS JOIN model AS m
        CROSS JOIN proposed AS p
        LEFT JOIN cognifold.embedding AS e ON e.tenant_id = n.tenant_id AND e.model_id = m.model_id AND e.kind = 'concept' AND e.node_id = n.id
        WHERE n.tenant_id = duplicate_concept.tenant AND n.kind = 'concept' AND n.merged_into IS NULL
          AND (lower(btrim(n.title)) = lower(btrim(duplicate_concept.title)) OR 1 - (e.vector <=> p.vector) >= m."duplicate")
    )
    SELECT r.id FROM rival AS r
    -- One event may speak of two things: concepts of the same events whose titles share no word are not the same.
    WHERE (r.same_title OR EXISTS (SELECT FROM cognifold.lexemes(r.title) AS a
                                   JOIN cognifold.lexemes(duplicate_concept.title) AS b ON b.lexeme = a.lexeme))
      AND NOT cognifold.texts_conflict(duplicate_concept.tenant, r.title, duplicate_concept.title)
    ORDER BY r.same_title DESC, r.cosine DESC NULLS LAST, r.id
    LIMIT 1
$$;
COMMENT ON FUNCTION cognifold.duplicate_concept(text, text, uuid[]) IS
    'The concept that a proposed one repeats: of the same title, or with a word of its title in common and its events as near as the model''s duplicate threshold; texts that conflict never match. Internal.';
