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
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    settings jsonb := cognifold.settings(tenant);
    own      cognifold.embedding_model := cognifold.tenant_model(tenant);
    clock    timestamptz := coalesce((narrow).as_of, cognifold.now());
    wanted   integer := k + coalesce(cardinality(seen), 0);
    depth    integer := (settings ->> 'recall.candidates')::integer;
    altered  uuid[];
    asked    record;
    question halfvec;
    boosted  text;  -- the one actor the question names; of several no one is meant more than the other
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
    IF (narrow).known_at IS NOT NULL THEN
        altered := cognifold.altered_nodes(tenant, (narrow).known_at);
    END IF;

    RETURN QUERY
    WITH former AS MATERIALIZED (
        SELECT f.* FROM cognifold.former_nodes(tenant, altered, narrow) AS f
    ), unfolded AS MATERIALIZED (
        SELECT u.* FROM cognifold.near_unfolded(tenant, asked.words, question, narrow, (settings ->> 'recall.unfolded')::integer) AS u
    ), meaning AS MATERIALIZED (
        SELECT v.node_id, v.cosine FROM cognifold.near_vectors(tenant, own.model_id, question, narrow, depth) AS v
        WHERE altered IS NULL OR v.node_id <> ALL (altered)
        UNION ALL
        SELECT u.node_id, u.cosine FROM unfolded AS u WHERE u.cosine IS NOT NULL
        UNION ALL
        SELECT f.id, 1 - (f.vector <=> question) FROM former AS f WHERE f.vector IS NOT NULL AND question IS NOT NULL
    ), words AS MATERIALIZED (
        SELECT w.node_id, w.keyword FROM cognifold.near_words(tenant, asked.words, narrow, depth) AS w
        WHERE altered IS NULL OR w.node_id <> ALL (altered)
        UNION ALL
        SELECT u.node_id, u.keyword FROM unfolded AS u WHERE u.keyword IS NOT NULL
        UNION ALL
        SELECT t.node_id, t.keyword
        FROM (SELECT array_agg(f.id) AS ids, array_agg(cognifold.indexed_text(f.title, f.content)) AS texts FROM former AS f) AS f
        CROSS JOIN LATERAL cognifold.keywords_of(tenant, asked.words, f.ids, f.texts) AS t
    ), best AS (
        SELECT coalesce((SELECT max(m.cosine) FROM meaning AS m), 1) AS cosine, coalesce((SELECT max(w.keyword) FROM words AS w), 1) AS keyword
    ), node AS (
        SELECT n.id, n.kind, n.title, n.occurred_at, n.actor, n.source,
               n.emotional_weight * CASE WHEN n.affect_inferred THEN (settings ->> 'recall.inferred_affect')::double precision ELSE 1 END AS emotional_weight,
               n.recorded_at, n.memory_type, n.privacy_level
        FROM cognifold.node AS n
        WHERE n.tenant_id = tenant AND n.merged_into IS NULL AND (altered IS NULL OR n.id <> ALL (altered))
        UNION ALL
        SELECT f.id, f.kind, f.title, f.occurred_at, NULL, NULL, f.emotional_weight, NULL, NULL, NULL FROM former AS f
    ), direct AS MATERIALIZED (
        SELECT c.node_id, c.cosine, c.keyword, n.kind, n.source, n.occurred_at,
               (settings ->> 'recall.weight_meaning')::double precision * greatest(coalesce(c.cosine, 0), 0) / greatest(b.cosine, 1e-9)
               + (settings ->> 'recall.weight_words')::double precision * coalesce(c.keyword, 0) / greatest(b.keyword, 1e-9)
               + CASE WHEN boosted = n.actor THEN (settings ->> 'recall.weight_actor')::double precision ELSE 0 END AS strength
        FROM (SELECT coalesce(m.node_id, w.node_id) AS node_id, m.cosine, w.keyword
              FROM meaning AS m FULL JOIN words AS w ON w.node_id = m.node_id) AS c
        CROSS JOIN best AS b
        JOIN node AS n ON n.id = c.node_id
    ), passed AS (   -- to the two events before and the two after, in the same source and within the window
        SELECT x.node_id,
               sum(d.strength * CASE x.distance WHEN 1 THEN (settings ->> 'recall.neighbour_share')::double precision
                                                ELSE (settings ->> 'recall.second_neighbour_share')::double precision END
                   ORDER BY d.strength, d.node_id) AS strength
        FROM direct AS d
        CROSS JOIN LATERAL (
            (SELECT b.id AS node_id, row_number() OVER (ORDER BY b.occurred_at DESC, b.id DESC) AS distance
             FROM cognifold.node AS b
             WHERE b.tenant_id = tenant AND b.kind = 'event' AND CASE WHEN b.source IS NULL THEN '' ELSE b.source END = coalesce(d.source, '')
               AND (b.occurred_at, b.id) < (d.occurred_at, d.node_id)
               AND b.occurred_at >= d.occurred_at - make_interval(secs => (settings ->> 'recall.neighbour_window')::double precision)
             ORDER BY b.occurred_at DESC, b.id DESC LIMIT 2)
            UNION ALL
            (SELECT a.id, row_number() OVER (ORDER BY a.occurred_at, a.id)
             FROM cognifold.node AS a
             WHERE a.tenant_id = tenant AND a.kind = 'event' AND CASE WHEN a.source IS NULL THEN '' ELSE a.source END = coalesce(d.source, '')
               AND (a.occurred_at, a.id) > (d.occurred_at, d.node_id)
               AND a.occurred_at <= d.occurred_at + make_interval(secs => (settings ->> 'recall.neighbour_window')::double precision)
             ORDER BY a.occurred_at, a.id LIMIT 2)
        ) AS x
        WHERE d.kind = 'event' AND isfinite(d.occurred_at) AND 'event' = ANY ((narrow).kinds)
        GROUP BY x.node_id
    ), related AS (
        SELECT coalesce(d.node_id, p.node_id) AS node_id, d.cosine, d.keyword,
               coalesce(p.strength, 0) AS neighbours, coalesce(d.strength, 0) + coalesce(p.strength, 0) AS relevance
        FROM direct AS d FULL JOIN passed AS p ON p.node_id = d.node_id
    ), scored AS (
        SELECT n.id AS node_id, n.kind, n.title, n.occurred_at, n.actor, n.source, r.cosine, r.keyword, r.neighbours, r.relevance, m.modulation,
               r.relevance * m.modulation AS score
        FROM related AS r
        JOIN node AS n ON n.id = r.node_id
        LEFT JOIN cognifold.node_state AS s ON s.tenant_id = tenant AND s.node_id = r.node_id
        CROSS JOIN LATERAL (
            SELECT cognifold.mne_score(1, n.emotional_weight, 3600 * (cognifold.hours(clock) - cognifold.hours(n.occurred_at)),
                                       coalesce(s.access_count, 0), coalesce(s.integration_score, 0)) AS modulation
        ) AS m
        WHERE r.relevance > 0 AND r.relevance * m.modulation >= coalesce(minimum_score, 0) AND (seen IS NULL OR r.node_id <> ALL (seen))
          AND (n.recorded_at IS NULL   -- a former one: narrowed already
               OR cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, narrow))
        ORDER BY score DESC, n.occurred_at DESC, n.id
        LIMIT k
    )
    SELECT s.node_id, s.kind, s.title, coalesce((SELECT f.content FROM former AS f WHERE f.id = s.node_id), c.content), s.occurred_at, s.score,
           s.actor, s.source, s.cosine, s.keyword, coalesce(s.actor = ANY (asked.actors), false), s.neighbours, s.relevance, s.modulation
    FROM scored AS s
    LEFT JOIN cognifold.node_content AS c ON c.tenant_id = tenant AND c.node_id = s.node_id
    ORDER BY s.score DESC, s.occurred_at DESC, s.node_id;
END
$$;
COMMENT ON FUNCTION cognifold.recalled(text, text, integer, cognifold.narrowing, double precision, vector, text, uuid[]) IS
    'What recall returns and why, for one narrowing; see recall. Internal: recall and explain_recall call it.';
