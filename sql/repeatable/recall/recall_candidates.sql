-- recall_candidates: the memories that a question finds by itself, one row each, with what every signal says of it.
--
-- The signals: meaning, words, names, the time it speaks of, statements about what is asked for, and events that wait to be folded. What plans have
-- altered since known_at is taken from none of them, but read as it was known then (former_nodes).
CREATE OR REPLACE FUNCTION cognifold.recall_candidates(
    tenant text, query text, words text, model_id smallint, question halfvec, narrow cognifold.narrowing, altered uuid[], starts timestamptz[], ends timestamptz[],
    until timestamptz, rest text, near integer, depth integer, settings jsonb
) RETURNS TABLE (
    node_id uuid, cosine double precision, keyword double precision, titled double precision, named double precision, stated double precision, replaced uuid, dated boolean
)
LANGUAGE plpgsql STABLE ROWS 200
SET search_path FROM CURRENT
-- One plan serves all, as in recalled.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    none     CONSTANT double precision := NULL;
    at_most  integer := settings -> 'recall.dated';
BEGIN
    RETURN QUERY
    SELECT f.node_id, max(f.cosine), max(f.keyword), max(f.titled), max(f.named), max(f.stated),
           (array_agg(f.replaced) FILTER (WHERE f.replaced IS NOT NULL))[1], coalesce(bool_or(f.dated), false)
    FROM (SELECT v.node_id, v.cosine, none AS keyword, none AS titled, none AS named, none AS stated, NULL::uuid AS replaced, false AS dated
          FROM cognifold.near_vectors(tenant, model_id, question, narrow, near, settings) AS v
          UNION ALL
          SELECT w.node_id, none, w.keyword, none, none, none, NULL, false FROM cognifold.near_words(tenant, words, narrow, depth, settings) AS w
          UNION ALL
          SELECT t.node_id, none, none, t.titled, t.named, none, NULL, false FROM cognifold.near_names(tenant, query, narrow, settings) AS t
          UNION ALL
          SELECT t.node_id, none, none, none, none, none, NULL, true FROM cognifold.near_times(tenant, starts, ends, narrow, at_most) AS t
          UNION ALL   -- what states the answer, and what stated it before: then with the statement that holds, where that is here
          SELECT s.node_id, none, none, none, none, CASE WHEN s.answers THEN s.strength END, s.holds, false
          FROM cognifold.asked_state(tenant, query, narrow, until, rest, settings) AS s
          WHERE 'event' = ANY ((narrow).kinds)
          UNION ALL
          SELECT u.node_id, u.cosine, u.keyword, none, none, none, NULL, false FROM cognifold.near_unfolded(tenant, words, question, narrow, settings) AS u) AS f
    WHERE altered IS NULL OR f.node_id <> ALL (altered)
    GROUP BY f.node_id
    HAVING num_nonnulls(max(f.cosine), max(f.keyword), max(f.titled), max(f.stated)) > 0 OR bool_or(f.dated)
    UNION ALL
    SELECT f.id, 1 - (f.vector <=> question), w.keyword, none, none, none, NULL, false
    FROM cognifold.former_nodes(tenant, altered, narrow) AS f
    LEFT JOIN LATERAL cognifold.keywords_of(tenant, words, ARRAY[f.id], ARRAY[cognifold.indexed_text(f.title, f.content)]) AS w ON true
    WHERE num_nonnulls(f.vector <=> question, w.keyword) > 0;
END
$$;
COMMENT ON FUNCTION cognifold.recall_candidates(
    text, text, text, smallint, halfvec, cognifold.narrowing, uuid[], timestamptz[], timestamptz[], timestamptz, text, integer, integer, jsonb) IS
    'Of the best near by meaning, the best depth by words, and what names, statements (see asked_state) and waiting events add: cosine, BM25, how well a memory is titled and named by the question (see near_names), stated: how surely it states what is asked for and holds; replaced: the memory that holds instead of what it states of that. dated: it happened in the time that is asked about. NULL where a signal says nothing. Internal: a stage of recall.';
