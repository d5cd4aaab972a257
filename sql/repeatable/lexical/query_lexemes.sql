-- query_lexemes: the lexemes of a question, how much each tells in this tenant, and what BM25 compares lengths with.
CREATE OR REPLACE FUNCTION cognifold.query_lexemes(tenant text, words text)
RETURNS TABLE (lexeme text, rarity double precision, mean_length double precision)
LANGUAGE sql STABLE ROWS 10
SET search_path FROM CURRENT
AS $$
    SELECT l.lexeme, ln(1 + (s.document_count - coalesce(f.document_count, 0) + 0.5) / (coalesce(f.document_count, 0) + 0.5)),
           greatest(s.total_length::double precision / greatest(s.document_count, 1), 1)
    FROM cognifold.lexemes(query_lexemes.words) AS l
    JOIN cognifold.lexical_statistics AS s ON s.tenant_id = query_lexemes.tenant
    LEFT JOIN cognifold.lexeme_frequency AS f ON f.tenant_id = query_lexemes.tenant AND f.lexeme = l.lexeme  -- none: a word of a concept's title alone
$$;
COMMENT ON FUNCTION cognifold.query_lexemes(text, text) IS
    'Lexemes of a question with their rarity ln(1 + (N - n + .5) / (n + .5)), N being the tenant''s events and n those with the lexeme, and the mean length of an event in lexemes (Robertson and Zaragoza 2009). Internal.';
