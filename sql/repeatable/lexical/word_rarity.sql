-- word_rarity: the lexemes of a text that tell it apart and how rare each is among the tenant's events.
CREATE OR REPLACE FUNCTION cognifold.word_rarity(tenant text, words text, documents double precision, maximum_postings double precision)
RETURNS TABLE (lexeme text, rarity double precision)
LANGUAGE sql STABLE
-- No SET clause and every name qualified: the planner inlines it.
AS $$
    SELECT c.lexeme, pg_catalog.ln(documents / c.document_count)
    FROM (
        SELECT l.lexeme, greatest(f.document_count, 1) AS document_count,
               pg_catalog.sum(f.document_count) OVER (ORDER BY f.document_count, l.lexeme) AS postings
        FROM cognifold.lexemes(word_rarity.words) AS l
        LEFT JOIN LATERAL (
            SELECT f.document_count FROM cognifold.lexeme_frequency AS f
            WHERE f.tenant_id = word_rarity.tenant AND f.lexeme = l.lexeme LIMIT 1
        ) AS f ON true
        WHERE pg_catalog.translate(l.lexeme, '0123456789.,:-', '') <> ''  -- a bare number is shared by chance
    ) AS c
    WHERE coalesce(c.postings, 0) <= maximum_postings
$$;
COMMENT ON FUNCTION cognifold.word_rarity(text, text, double precision, double precision) IS
    'The lexemes of a text (indexed_text), bare numbers left out, rarest first as long as they stand in maximum_postings events together, each with its rarity ln(documents / n): documents is the tenant''s events and fold.prior_documents. Internal.';
