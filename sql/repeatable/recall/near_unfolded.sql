-- near_unfolded: events that were remembered last and wait to be folded, read as they stand.
CREATE OR REPLACE FUNCTION cognifold.near_unfolded(tenant text, words text, question halfvec, narrow cognifold.narrowing, settings jsonb)
RETURNS TABLE (node_id uuid, cosine double precision, keyword double precision)
LANGUAGE plpgsql STABLE ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    ids        uuid[];
    texts      text[];
    whole      text[];  -- with the title
    by_lexicon boolean;
    most       integer := settings -> 'recall.unfolded_characters';  -- shared out among them: every question reads them anew
    depth      integer := settings -> 'recall.unfolded';
BEGIN
    SELECT array_agg(u.node_id), array_agg(u.content), array_agg(cognifold.indexed_text(u.title, u.content)) INTO ids, texts, whole
    FROM (
        SELECT w.node_id, w.title, left(c.content, greatest(most / count(*) OVER (), 1)::integer) AS content
        FROM (
            SELECT w.node_id, n.title FROM cognifold.work AS w
            JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = w.node_id
            WHERE w.tenant_id = tenant AND w.task = 'fold' AND 'event' = ANY ((narrow).kinds)
              AND NOT EXISTS (SELECT FROM cognifold.lexical_document AS d WHERE d.tenant_id = tenant AND d.node_id = w.node_id)
              AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, narrow)
            ORDER BY w.occurred_at DESC, w.node_id DESC
            LIMIT depth
        ) AS w
        JOIN cognifold.node_text AS c ON c.tenant_id = tenant AND c.node_id = w.node_id
    ) AS u;
    IF ids IS NULL THEN
        RETURN;
    END IF;
    by_lexicon := (cognifold.tenant_model(tenant)).provider = 'lexicon';
    RETURN QUERY
    SELECT t.node_id, 1 - (t.vector <=> question), k.keyword
    FROM (SELECT u.node_id, CASE WHEN by_lexicon AND question IS NOT NULL THEN cognifold.embed(u.content)::halfvec END AS vector
          FROM unnest(ids, texts) AS u (node_id, content)) AS t
    LEFT JOIN cognifold.keywords_of(tenant, words, ids, whole) AS k ON k.node_id = t.node_id
    WHERE t.vector IS NOT NULL OR k.keyword IS NOT NULL;
END
$$;
COMMENT ON FUNCTION cognifold.near_unfolded(text, text, halfvec, cognifold.narrowing, jsonb) IS
    'Cosine and BM25 of the latest recall.unfolded events that wait to be folded and are in no index yet. Internal: a stage of recall.';
