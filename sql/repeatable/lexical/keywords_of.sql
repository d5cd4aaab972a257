-- keywords_of: BM25 of texts that stand in no index, such as events not yet folded.
CREATE OR REPLACE FUNCTION cognifold.keywords_of(tenant text, words text, node_ids uuid[], texts text[])
RETURNS TABLE (node_id uuid, keyword double precision)
LANGUAGE sql STABLE ROWS 10
SET search_path FROM CURRENT
AS $$
    SELECT t.node_id, sum(cognifold.bm25(q.rarity, l.frequency, l.document_length, q.mean_length,
                                         cognifold.setting('recall.bm25_k1', keywords_of.tenant), cognifold.setting('recall.bm25_b', keywords_of.tenant))
                          ORDER BY q.lexeme)
    FROM unnest(keywords_of.node_ids, keywords_of.texts) AS t (node_id, text)
    CROSS JOIN LATERAL (SELECT w.lexeme, w.frequency, sum(w.frequency) OVER () AS document_length FROM cognifold.lexemes(t.text) AS w) AS l
    JOIN cognifold.query_lexemes(keywords_of.tenant, keywords_of.words) AS q ON q.lexeme = l.lexeme
    GROUP BY t.node_id
$$;
COMMENT ON FUNCTION cognifold.keywords_of(text, text, uuid[], text[]) IS
    'BM25 of each text against the question''s words by the tenant''s statistics; a text without any of them has no row. Internal: a stage of recall.';
