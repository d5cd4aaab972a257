-- word_rarity: the lexemes of a text and how rare each is among the tenant's events.
CREATE OR REPLACE FUNCTION cognifold.word_rarity(tenant text, title text, content text)
RETURNS TABLE (lexeme text, rarity double precision)
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT l.lexeme, ln(1 + (s.document_count - coalesce(f.document_count, 0) + 0.5) / (coalesce(f.document_count, 0) + 0.5))
    FROM cognifold.lexemes(cognifold.indexed_text(title, content)) AS l
    JOIN cognifold.lexical_statistics AS s ON s.tenant_id = word_rarity.tenant
    LEFT JOIN cognifold.lexeme_frequency AS f ON f.tenant_id = word_rarity.tenant AND f.lexeme = l.lexeme
    WHERE l.lexeme ~ '[^0-9.,:-]'  -- a bare number is shared by chance
$$;
COMMENT ON FUNCTION cognifold.word_rarity(text, text, text) IS
    'Each lexeme of a title and text, bare numbers left out, with its inverse document frequency among the tenant''s events, ln(1 + (N - n + .5) / (n + .5)). Internal.';
