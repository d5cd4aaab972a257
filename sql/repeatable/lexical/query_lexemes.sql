-- query_lexemes: the lexemes of a question, how much each tells in this tenant, and what BM25 compares lengths with.
CREATE OR REPLACE FUNCTION cognifold.query_lexemes(tenant text, words text)
RETURNS TABLE (lexeme text, rarity double precision, mean_length double precision, document_count bigint)
LANGUAGE sql STABLE ROWS 10
-- No SET clause: the planner inlines it.
AS $$
    SELECT l.lexeme, pg_catalog.ln(1 + (s.document_count - coalesce(f.document_count, 0) + 0.5) / (coalesce(f.document_count, 0) + 0.5)),
           greatest(s.total_length::double precision / greatest(s.document_count, 1), 1), coalesce(f.document_count, 0)
    FROM cognifold.lexemes(query_lexemes.words) AS l
    JOIN cognifold.lexical_statistics AS s ON s.tenant_id = query_lexemes.tenant
    LEFT JOIN LATERAL (   -- none: a word of a concept's title alone
        SELECT f.document_count FROM cognifold.lexeme_frequency AS f
        WHERE f.tenant_id = query_lexemes.tenant AND f.lexeme = l.lexeme LIMIT 1
    ) AS f ON true
$$;
COMMENT ON FUNCTION cognifold.query_lexemes(text, text) IS
    'Lexemes of a question with their rarity ln(1 + (N - n + .5) / (n + .5)), N being the tenant''s events and n = document_count those with the lexeme, and the mean length of an event in lexemes (Robertson and Zaragoza 2009). Internal.';
