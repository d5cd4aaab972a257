-- recalled: everything that is to be said about the memories that answer a question; recall shows a part of it.
--
-- Candidates by meaning and by words are each divided by their best, so that neither scale matters; the actor a question
-- names adds a boost; a memory passes part of its relevance on to what happened just before and after it in its source;
-- emotion, recency, use and integration then modulate as the MNE score says.
CREATE OR REPLACE FUNCTION cognifold.recalled(
    tenant text, query text, k integer, narrow cognifold.narrowing, minimum_score double precision, query_embedding vector, model text, seen uuid[]
) RETURNS TABLE (
    node_id uuid, kind text, title text, content text, occurred_at timestamptz, score double precision,
    actor text, source text, cosine double precision, keyword double precision, names_actor boolean,
    neighbours double precision, relevance double precision, modulation double precision
)
LANGUAGE plpgsql STABLE ROWS 10
SET search_path FROM CURRENT
-- Every step below is an index look-up per candidate, whoever the tenant is: one plan serves all, and none is made anew.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    settings        jsonb := cognifold.settings(tenant);
    weight_meaning  double precision := settings -> 'recall.weight_meaning';
    weight_words    double precision := settings -> 'recall.weight_words';
    weight_actor    double precision := settings -> 'recall.weight_actor';
    shares          double precision[] := ARRAY[settings -> 'recall.neighbour_share', settings -> 'recall.second_neighbour_share'];
    window_length   interval := make_interval(secs => (settings -> 'recall.neighbour_window')::double precision);
    inferred_affect double precision := settings -> 'recall.inferred_affect';
    depth           integer := settings -> 'recall.candidates';
    spreading       integer := settings -> 'recall.spreading';
    own             cognifold.embedding_model := cognifold.tenant_model(tenant);
    clock           double precision := cognifold.hours(coalesce((narrow).as_of, cognifold.now()));
    wanted          integer := k + coalesce(cardinality(seen), 0);
    asked           record;
    question        halfvec;
    boosted         text;  -- the one actor the question names; of several no one is meant more than the other
    altered         uuid[];
    ids             uuid[];
    cosines         double precision[];
    keywords        double precision[];
    best_cosine     double precision;
    best_keyword    double precision;
BEGIN
    IF query IS NULL OR query !~ '\S' THEN
        RAISE EXCEPTION 'recall: the query is empty' USING ERRCODE = 'CF010', HINT = 'Ask with at least one word.';
    ELSIF k IS NULL OR k NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'recall: k = % is not between 1 and 10000', coalesce(k::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'k is how many memories to return.';
    END IF;
    -- Deeper by doubling, and only for who asks for more: up to there the ranking does not depend on the size of a page.
    WHILE depth < wanted LOOP
        depth := 2 * depth;
        spreading := 2 * spreading;
    END LOOP;
    SELECT t.* INTO asked FROM cognifold.query_terms(tenant, query) AS t;
    IF cardinality(asked.actors) = 1 THEN
        boosted := asked.actors[1];
    END IF;
    IF query_embedding IS NOT NULL OR model IS NOT NULL THEN
        question := cognifold.checked_vector(query_embedding, model, tenant)::halfvec;
    ELSIF own.provider = 'lexicon' THEN
        question := cognifold.embed(asked.words, 'query', tenant)::halfvec;
    ELSE
        RAISE EXCEPTION 'tenant "%" stores vectors of model "%", which this database cannot compute', tenant, own.name
            USING ERRCODE = 'CF012',
                  HINT = format('Embed the question with %s and pass query_embedding and model => %L; the Python client does.', own.name, own.name);
    END IF;

    -- Candidates. What plans altered since known_at is left to former_nodes.
    IF (narrow).known_at IS NOT NULL THEN
        altered := cognifold.altered_nodes(tenant, (narrow).known_at);
    END IF;
    SELECT array_agg(c.node_id), array_agg(c.cosine), array_agg(c.keyword), coalesce(max(c.cosine), 1), coalesce(max(c.keyword), 1)
    INTO ids, cosines, keywords, best_cosine, best_keyword
    FROM (
        SELECT f.node_id, max(f.cosine) AS cosine, max(f.keyword) AS keyword
        FROM (SELECT v.node_id, v.cosine, NULL::double precision AS keyword FROM cognifold.near_vectors(tenant, own.model_id, question, narrow, depth) AS v
              UNION ALL
              SELECT w.node_id, NULL, w.keyword FROM cognifold.near_words(tenant, asked.words, narrow, depth) AS w
              UNION ALL
              SELECT u.node_id, u.cosine, u.keyword
              FROM cognifold.near_unfolded(tenant, asked.words, question, narrow, (settings -> 'recall.unfolded')::integer) AS u) AS f
        WHERE altered IS NULL OR f.node_id <> ALL (altered)
        GROUP BY f.node_id
        UNION ALL
        SELECT f.id, 1 - (f.vector <=> question), w.keyword
        FROM cognifold.former_nodes(tenant, altered, narrow) AS f
        LEFT JOIN LATERAL cognifold.keywords_of(tenant, asked.words, ARRAY[f.id], ARRAY[cognifold.indexed_text(f.title, f.content)]) AS w ON true
    ) AS c
    WHERE c.cosine IS NOT NULL OR c.keyword IS NOT NULL;

    RETURN QUERY
    WITH former AS MATERIALIZED (
        SELECT f.* FROM cognifold.former_nodes(tenant, altered, narrow) AS f
    ), direct AS MATERIALIZED (
        SELECT c.node_id, c.cosine, c.keyword, n.kind, n.source, n.occurred_at,
               weight_meaning * greatest(coalesce(c.cosine, 0), 0) / greatest(best_cosine, 1e-9)
               + weight_words * coalesce(c.keyword, 0) / greatest(best_keyword, 1e-9)
               + CASE WHEN boosted = n.actor THEN weight_actor ELSE 0 END AS strength
        FROM unnest(ids, cosines, keywords) AS c (node_id, cosine, keyword)
        CROSS JOIN LATERAL (
            SELECT n.kind, n.source, n.occurred_at, n.actor FROM cognifold.node AS n
            WHERE n.tenant_id = tenant AND n.id = c.node_id AND n.merged_into IS NULL AND (altered IS NULL OR n.id <> ALL (altered))
            UNION ALL
            SELECT f.kind, NULL, f.occurred_at, NULL FROM former AS f WHERE f.id = c.node_id
        ) AS n
    ), origin AS (
        SELECT d.node_id, d.source, d.occurred_at, d.strength
        FROM direct AS d
        WHERE d.kind = 'event' AND isfinite(d.occurred_at) AND 'event' = ANY ((narrow).kinds)
        ORDER BY d.strength DESC, d.node_id
        LIMIT spreading
    ), passed AS (   -- to the two events before and the two after, in the same source and within the window
        SELECT x.node_id, o.strength * shares[x.distance] AS strength
        FROM origin AS o
        CROSS JOIN LATERAL (
            (SELECT b.id AS node_id, row_number() OVER (ORDER BY b.occurred_at DESC, b.id DESC) AS distance
             FROM cognifold.node AS b
             WHERE b.tenant_id = tenant AND b.kind = 'event' AND CASE WHEN b.source IS NULL THEN '' ELSE b.source END = coalesce(o.source, '')
               AND (b.occurred_at, b.id) < (o.occurred_at, o.node_id) AND b.occurred_at >= o.occurred_at - window_length
             ORDER BY b.occurred_at DESC, b.id DESC LIMIT 2)
            UNION ALL
            (SELECT a.id, row_number() OVER (ORDER BY a.occurred_at, a.id)
             FROM cognifold.node AS a
             WHERE a.tenant_id = tenant AND a.kind = 'event' AND CASE WHEN a.source IS NULL THEN '' ELSE a.source END = coalesce(o.source, '')
               AND (a.occurred_at, a.id) > (o.occurred_at, o.node_id) AND a.occurred_at <= o.occurred_at + window_length
             ORDER BY a.occurred_at, a.id LIMIT 2)
        ) AS x
    ), related AS (
        SELECT r.node_id, max(r.cosine) AS cosine, max(r.keyword) AS keyword, sum(r.passed ORDER BY r.passed) AS neighbours,
               sum(r.strength) + sum(r.passed ORDER BY r.passed) AS relevance
        FROM (SELECT d.node_id, d.cosine, d.keyword, d.strength, 0::double precision AS passed FROM direct AS d
              UNION ALL
              SELECT p.node_id, NULL, NULL, 0, p.strength FROM passed AS p) AS r
        GROUP BY r.node_id
        ORDER BY relevance DESC, r.node_id
        LIMIT 2 * depth
    ), scored AS (
        SELECT r.node_id, n.kind, n.title, n.content, n.occurred_at, n.actor, n.source, r.cosine, r.keyword, r.neighbours, r.relevance, m.modulation,
               r.relevance * m.modulation AS score
        FROM related AS r
        CROSS JOIN LATERAL (
            SELECT n.kind, n.title, NULL AS content, n.occurred_at, n.actor, n.source,
                   n.emotional_weight * CASE WHEN n.affect_inferred THEN inferred_affect ELSE 1 END AS emotional_weight
            FROM cognifold.node AS n
            WHERE n.tenant_id = tenant AND n.id = r.node_id AND (altered IS NULL OR n.id <> ALL (altered))
              AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, narrow)
            UNION ALL
            SELECT f.kind, f.title, f.content, f.occurred_at, NULL, NULL, f.emotional_weight FROM former AS f WHERE f.id = r.node_id
        ) AS n
        LEFT JOIN cognifold.node_state AS s ON s.tenant_id = tenant AND s.node_id = r.node_id
        CROSS JOIN LATERAL (
            SELECT cognifold.mne_score(1, n.emotional_weight, 3600 * (clock - cognifold.hours(n.occurred_at)),
                                       coalesce(s.access_count, 0), coalesce(s.integration_score, 0)) AS modulation
            OFFSET 0   -- or it would be reckoned wherever it is named
        ) AS m
        WHERE r.relevance > 0 AND r.relevance * m.modulation >= coalesce(minimum_score, 0) AND (seen IS NULL OR r.node_id <> ALL (seen))
        ORDER BY score DESC, n.occurred_at DESC, r.node_id
        LIMIT k
    )
    SELECT s.node_id, s.kind, s.title, coalesce(s.content, c.content), s.occurred_at, s.score,
           s.actor, s.source, s.cosine, s.keyword, coalesce(s.actor = ANY (asked.actors), false), s.neighbours, s.relevance, s.modulation
    FROM scored AS s
    LEFT JOIN cognifold.node_content AS c ON c.tenant_id = tenant AND c.node_id = s.node_id
    ORDER BY s.score DESC, s.occurred_at DESC, s.node_id;
END
$$;
COMMENT ON FUNCTION cognifold.recalled(text, text, integer, cognifold.narrowing, double precision, vector, text, uuid[]) IS
    'What recall returns and why, for one narrowing; see recall. Internal: recall and explain_recall call it.';
