-- near_words: the memories that share the most telling words with a question, best first (BM25).
CREATE OR REPLACE FUNCTION cognifold.near_words(tenant text, words text, narrow cognifold.narrowing, depth integer)
RETURNS TABLE (node_id uuid, keyword double precision)
LANGUAGE plpgsql STABLE ROWS 100
SET search_path FROM CURRENT
SET plan_cache_mode = force_custom_plan
AS $$
#variable_conflict use_variable
DECLARE
    k1 double precision := cognifold.setting('recall.bm25_k1', tenant);
    b  double precision := cognifold.setting('recall.bm25_b', tenant);
BEGIN
    RETURN QUERY
    WITH term AS MATERIALIZED (
        SELECT q.lexeme, q.rarity, q.mean_length FROM cognifold.query_lexemes(tenant, words) AS q
    )
    SELECT p.node_id, sum(cognifold.bm25(t.rarity, p.frequency, p.document_length, t.mean_length, k1, b) ORDER BY t.lexeme)
    FROM term AS t
    JOIN cognifold.posting AS p ON p.tenant_id = tenant AND p.lexeme = t.lexeme AND p.kind = ANY ((narrow).kinds)
    WHERE NOT (narrow).narrowed OR EXISTS (
            SELECT FROM cognifold.node AS n
            WHERE n.tenant_id = tenant AND n.id = p.node_id
              AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, narrow))
    GROUP BY p.node_id
    ORDER BY 2 DESC, p.node_id
    LIMIT depth;
END
$$;
COMMENT ON FUNCTION cognifold.near_words(text, text, cognifold.narrowing, integer) IS
    'The depth memories within the narrowing with the highest BM25 of the words, by the tenant''s own statistics. Internal: a stage of recall.';
