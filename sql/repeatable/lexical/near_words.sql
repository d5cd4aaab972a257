-- near_words: the memories that hold most of a question's words, by BM25 over the tenant's own statistics, best first.
--
-- The cost is bounded, whatever the memory holds. Postings are read word by word, the rarest first, of a word in more texts
-- than the budget allows those that weigh most. Each posting bears the signature of its text, which tells what other words
-- of the question may stand there; so it is known which texts promise most, and of them alone the words are read and the
-- score is worked out. What a question is narrowed to is scored whole where that is a few nodes; else more postings are
-- read, and a text counts once its node is seen to lie within. Scores are rounded to twelve places: in which order their
-- parts were added must not show.
CREATE OR REPLACE FUNCTION cognifold.near_words(tenant text, words text, narrow cognifold.narrowing, depth integer, given jsonb DEFAULT NULL)
RETURNS TABLE (node_id uuid, keyword double precision)
LANGUAGE plpgsql STABLE ROWS 100
SET search_path FROM CURRENT
-- Planned once, on whatever the memory holds then: each statement looks rows up by their keys, and can only do that.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    settings    jsonb := coalesce(given, cognifold.settings(tenant));
    k1          double precision := settings -> 'recall.bm25_k1';
    b           double precision := settings -> 'recall.bm25_b';
    promising   double precision := settings -> 'recall.promising';
    budget      integer := settings -> CASE WHEN (narrow).narrowed THEN 'recall.narrowed_postings' ELSE 'recall.postings' END;  -- postings to read
    least       integer := settings -> 'recall.least_postings';  -- of each word at least
    small       integer := settings -> 'recall.narrowed';        -- nodes that are scored all
    lexemes     text[];             -- the question's, the rarest first
    rarities    double precision[];
    mean_length double precision;
    limits      integer[];          -- at most so many postings are read of each
    whole       boolean[];          -- which are all of the word's
    candidates  uuid[];
BEGIN
    SELECT array_agg(q.lexeme ORDER BY q.document_count, q.lexeme), array_agg(q.rarity ORDER BY q.document_count, q.lexeme),
           max(q.mean_length), array_agg(greatest(budget - q.rarer, least)::integer ORDER BY q.document_count, q.lexeme),
           array_agg(q.document_count <= greatest(budget - q.rarer, least) ORDER BY q.document_count, q.lexeme)
    INTO lexemes, rarities, mean_length, limits, whole
    FROM (SELECT q.*, coalesce(sum(q.document_count) OVER (ORDER BY q.document_count, q.lexeme ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS rarer
          FROM cognifold.query_lexemes(tenant, words) AS q) AS q;
    IF lexemes IS NULL THEN
        RETURN;
    END IF;

    IF (narrow).narrowed THEN
        candidates := cognifold.few_asked_for(tenant, narrow, small);
    END IF;
    IF candidates IS NULL AND true = ALL (whole) THEN
        RETURN QUERY
        SELECT p.node_id, round(p.promise::numeric, 12)::double precision
        FROM cognifold.posted_texts(tenant, lexemes, rarities, limits, whole, mean_length, k1, b, narrow, depth) AS p
        ORDER BY 2 DESC, 1 DESC;
        RETURN;
    ELSIF candidates IS NULL THEN
        candidates := ARRAY(
            SELECT p.node_id
            FROM cognifold.posted_texts(tenant, lexemes, rarities, limits, whole, mean_length, k1, b, narrow, (depth * promising)::integer) AS p);
    END IF;
    RETURN QUERY
    SELECT d.node_id, round(sum(cognifold.bm25(q.rarity, d.frequency, d.length, mean_length, k1, b) ORDER BY q.lexeme)::numeric, 12)::double precision
    FROM (SELECT d.node_id, d.length, unnest(d.lexemes) AS lexeme, unnest(d.frequencies) AS frequency
          FROM unnest(candidates) AS c (id)
          CROSS JOIN LATERAL (   -- by its key: PostgreSQL 16 may read all of a tenant where it takes it for small
              SELECT d.node_id, d.length, d.lexemes, d.frequencies FROM cognifold.lexical_document AS d
              WHERE d.tenant_id = tenant AND d.node_id = c.id LIMIT 1
          ) AS d) AS d
    JOIN unnest(lexemes, rarities) AS q (lexeme, rarity) ON q.lexeme = d.lexeme
    GROUP BY d.node_id
    ORDER BY 2 DESC, d.node_id DESC
    LIMIT depth;
END
$$;
COMMENT ON FUNCTION cognifold.near_words(text, text, cognifold.narrowing, integer, jsonb) IS
    'The depth memories within the narrowing with the highest BM25 of the words, by the tenant''s own statistics, ties by the newest. Exact where recall.postings hold all postings of the words or the narrowing leaves few nodes (recall.narrowed); else of the texts found by the rarest words and by the heads of the others. Internal: a stage of recall.';
