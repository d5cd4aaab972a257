-- word_rarity: the lexemes of a text that tell it apart and how rare each is among the tenant's events.
CREATE OR REPLACE FUNCTION cognifold.word_rarity(tenant text, words text)
RETURNS TABLE (lexeme text, rarity double precision)
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    WITH size AS MATERIALIZED (
        SELECT s.document_count + cognifold.setting('fold.prior_documents', word_rarity.tenant) AS documents,
               cognifold.setting('fold.maximum_postings', word_rarity.tenant) AS maximum_postings
        FROM cognifold.lexical_statistics AS s
        WHERE s.tenant_id = word_rarity.tenant
    ), counted AS (
        SELECT l.lexeme, greatest(f.document_count, 1) AS document_count,
               sum(f.document_count) OVER (ORDER BY f.document_count, l.lexeme) AS postings
        FROM cognifold.lexemes(word_rarity.words) AS l
        LEFT JOIN LATERAL (
            SELECT f.document_count FROM cognifold.lexeme_frequency AS f
            WHERE f.tenant_id = word_rarity.tenant AND f.lexeme = l.lexeme LIMIT 1
        ) AS f ON true
        WHERE l.lexeme ~ '[^0-9.,:-]'  -- a bare number is shared by chance
    )
    SELECT c.lexeme, ln(s.documents / c.document_count)
    FROM counted AS c CROSS JOIN size AS s
    WHERE coalesce(c.postings, 0) <= s.maximum_postings
$$;
COMMENT ON FUNCTION cognifold.word_rarity(text, text) IS
    'The lexemes of a text (indexed_text), bare numbers left out, rarest first as long as they stand in fold.maximum_postings events together, each with its rarity ln((N + n0) / n), n0 = fold.prior_documents. Internal.';
