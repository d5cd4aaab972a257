-- word_rarity: the lexemes of a text and how rare each is among the tenant's events.
CREATE OR REPLACE FUNCTION cognifold.word_rarity(tenant text, title text, content text)
RETURNS TABLE (lexeme text, rarity double precision)
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT l.lexeme, ln((s.document_count + cognifold.setting('fold.prior_documents', word_rarity.tenant))
                        / greatest(f.document_count, 1))
    FROM cognifold.lexemes(cognifold.indexed_text(title, content)) AS l
    JOIN cognifold.lexical_statistics AS s ON s.tenant_id = word_rarity.tenant
    LEFT JOIN cognifold.lexeme_frequency AS f ON f.tenant_id = word_rarity.tenant AND f.lexeme = l.lexeme
    WHERE l.lexeme ~ '[^0-9.,:-]'  -- a bare number is shared by chance
$$;
COMMENT ON FUNCTION cognifold.word_rarity(text, text, text) IS
    'Each lexeme of a title and text, bare numbers left out, with its rarity among the tenant''s events, ln((N + n0) / n), n0 = fold.prior_documents. Internal.';
