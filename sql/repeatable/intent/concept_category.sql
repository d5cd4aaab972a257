-- concept_category: what part of life or work a concept's events are about.
CREATE OR REPLACE FUNCTION cognifold.concept_category(tenant text, concept uuid, events uuid[], settings jsonb) RETURNS text
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN (
        WITH worded AS (     -- mean number of typical words in an event, each further one counting half the one before
            SELECT h.category, sum(2 * (1 - power(0.5::double precision, h.number)) ORDER BY h.node_id) / greatest(cardinality(events), 1) AS score
            FROM (
                SELECT w.category, p.node_id, count(*) AS number
                FROM cognifold.posting AS p JOIN cognifold.intent_category_word AS w ON w.lexeme = p.lexeme
                WHERE p.tenant_id = concept_category.tenant AND p.node_id = ANY (events)
                GROUP BY w.category, p.node_id
            ) AS h
            GROUP BY h.category
        ), meant AS (        -- and the likeness of the concept to all of a category's words together, where the lexicon can tell
            SELECT l.category, greatest(0, 1 - (e.vector <=> cognifold.embed(l.words)::halfvec)) AS score
            FROM (SELECT w.category, string_agg(w.word, ' ' ORDER BY w.word) AS words FROM cognifold.intent_category_word AS w GROUP BY w.category) AS l
            JOIN cognifold.tenant AS t ON t.tenant_id = concept_category.tenant
            JOIN cognifold.embedding_model AS m ON m.model_id = t.model_id AND m.provider = 'lexicon'
            JOIN cognifold.embedding AS e ON e.tenant_id = t.tenant_id AND e.model_id = t.model_id AND e.kind = 'concept' AND e.node_id = concept
        ), scored AS (
            SELECT c.category, coalesce(w.score, 0) + coalesce(m.score, 0) AS score
            FROM cognifold.intent_category AS c
            LEFT JOIN worded AS w ON w.category = c.category
            LEFT JOIN meant AS m ON m.category = c.category
            WHERE c.category <> 'other'
        )
        SELECT coalesce((SELECT s.category FROM scored AS s WHERE s.score >= (settings ->> 'intent.category')::double precision
                         ORDER BY s.score DESC, s.category LIMIT 1), 'other'));
END
$$;
COMMENT ON FUNCTION cognifold.concept_category(text, uuid, uuid[], jsonb) IS
    'The category whose typical words stand most often in the events, plus the cosine of the concept to those words; other below intent.category. Internal.';
