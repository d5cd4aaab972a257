-- recall: the memories that answer a question, best first, each with the parts of its score.
--
-- Two rankings of everything the tenant holds, exact both: by meaning (cosine) and by words (BM25 over the tenant's own
-- statistics). Each is divided by its best, so that neither scale matters; the actors a question names add a boost; a
-- memory passes part of its relevance on to what happened just before and after it in its source; emotion, recency, use and
-- integration then modulate as the MNE score says.
CREATE OR REPLACE FUNCTION cognifold.recall(
    query           text,
    k               integer DEFAULT 10,
    kinds           text[] DEFAULT NULL,
    since           timestamptz DEFAULT NULL,
    until           timestamptz DEFAULT NULL,
    actors          text[] DEFAULT NULL,
    sources         text[] DEFAULT NULL,
    minimum_score   double precision DEFAULT 0,
    as_of           timestamptz DEFAULT NULL,
    query_embedding vector DEFAULT NULL,
    model           text DEFAULT NULL,
    known_at        timestamptz DEFAULT NULL,
    tenant          text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (
    node_id uuid, kind text, title text, content text, occurred_at timestamptz, score double precision,
    actor text, source text, cosine double precision, keyword double precision, names_actor boolean,
    neighbours double precision, relevance double precision, modulation double precision
)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
SET plan_cache_mode = force_custom_plan  -- a plan made for the average tenant is several times slower for a large one
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    own      cognifold.embedding_model := cognifold.tenant_model(tenant);
    settings jsonb := cognifold.settings(tenant);
    clock    timestamptz := coalesce(as_of, cognifold.now());
    wanted   text[] := coalesce(kinds, ARRAY['event', 'concept', 'intent']);
    moment   timestamptz := coalesce(known_at, cognifold.known_at());
    filtered boolean := since IS NOT NULL OR until IS NOT NULL OR actors IS NOT NULL OR sources IS NOT NULL OR as_of IS NOT NULL OR moment IS NOT NULL;
    maximum  integer := greatest(k, (settings ->> 'recall.candidates')::integer);
    asked    record;
    question vector;
    boosted  text;  -- the one actor the question names; of several no one is meant more than the other
BEGIN
    IF query IS NULL OR query !~ '\S' THEN
        RAISE EXCEPTION 'recall: the query is empty' USING ERRCODE = 'CF010', HINT = 'Ask with at least one word.';
    ELSIF k IS NULL OR k NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'recall: k = % is not between 1 and 10000', coalesce(k::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'k is how many memories to return.';
    ELSIF NOT wanted <@ ARRAY['event', 'concept', 'intent', 'time'] THEN
        RAISE EXCEPTION 'recall: kinds = % holds an unknown kind', kinds
            USING ERRCODE = 'CF010', HINT = 'Use event, concept, intent, time.';
    END IF;
    SELECT t.* INTO asked FROM cognifold.query_terms(tenant, query) AS t;
    IF cardinality(asked.actors) = 1 THEN
        boosted := asked.actors[1];
    END IF;
    IF query_embedding IS NOT NULL OR model IS NOT NULL THEN
        question := cognifold.checked_vector(query_embedding, model, tenant);
    ELSIF own.provider = 'lexicon' THEN
        question := cognifold.embed(asked.words, 'query', tenant);
    ELSE
        RAISE EXCEPTION 'tenant "%" stores vectors of model "%", which this database cannot compute', tenant, own.name
            USING ERRCODE = 'CF012',
                  HINT = format('Embed the question with %s and pass query_embedding and model => %L; the Python client does.', own.name, own.name);
    END IF;

    RETURN QUERY
    WITH altered AS MATERIALIZED (   -- concepts and intents that plans after known_at reworded, merged, removed or gave evidence
        SELECT a.node_id FROM cognifold.images_since(tenant, moment, 'node') AS a WHERE moment IS NOT NULL
        UNION
        SELECT a.node_id FROM cognifold.images_since(tenant, moment, 'concept_state') AS a WHERE moment IS NOT NULL
    ), former AS MATERIALIZED (      -- as they were known then
        SELECT n.id, n.kind, n.title, n.content, n.occurred_at, n.recorded_at, n.emotional_weight,
               CASE n.kind WHEN 'concept' THEN cognifold.concept_vector_at(tenant, n.id, moment) END AS vector
        FROM cognifold.nodes_at(tenant, moment, ARRAY(SELECT a.node_id FROM altered AS a)) AS n
        WHERE moment IS NOT NULL AND n.kind = ANY (wanted) AND n.merged_into IS NULL
          AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, since, until, as_of, moment, actors, sources)
    ), unfolded AS MATERIALIZED (    -- what was remembered last and waits to be folded is read as it stands
        SELECT w.node_id, n.title, c.content
        FROM cognifold.work AS w
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = w.node_id
        JOIN cognifold.node_content AS c ON c.tenant_id = tenant AND c.node_id = w.node_id
        WHERE w.tenant_id = tenant AND w.task = 'fold' AND 'event' = ANY (wanted)
          AND NOT EXISTS (SELECT FROM cognifold.lexical_document AS d WHERE d.tenant_id = tenant AND d.node_id = w.node_id)
          AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, since, until, as_of, moment, actors, sources)
        ORDER BY w.occurred_at DESC, w.node_id DESC
        LIMIT (settings ->> 'recall.unfolded')::integer
    ), indexed AS MATERIALIZED (
        SELECT e.node_id, 1 - (e.vector <=> question::halfvec) AS cosine
        FROM cognifold.embedding AS e
        WHERE e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = ANY (wanted)
          AND (moment IS NULL OR NOT EXISTS (SELECT FROM altered AS a WHERE a.node_id = e.node_id))
          AND (NOT filtered OR EXISTS (
                SELECT FROM cognifold.node AS n
                WHERE n.tenant_id = tenant AND n.id = e.node_id
                  AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, since, until, as_of, moment, actors, sources)))
        ORDER BY e.vector <=> question::halfvec, e.node_id
        LIMIT CASE WHEN question IS NULL THEN 0 ELSE maximum END
    ), meaning AS MATERIALIZED (
        SELECT i.node_id, i.cosine FROM indexed AS i
        UNION ALL
        SELECT u.node_id, 1 - (v.vector <=> question::halfvec)
        FROM unfolded AS u
        CROSS JOIN LATERAL (SELECT cognifold.embed(u.content)::halfvec AS vector) AS v
        WHERE own.provider = 'lexicon' AND v.vector IS NOT NULL AND question IS NOT NULL
        UNION ALL
        SELECT f.id, 1 - (f.vector <=> question::halfvec) FROM former AS f WHERE f.vector IS NOT NULL AND question IS NOT NULL
    ), term AS MATERIALIZED (
        SELECT l.lexeme, ln(1 + (s.document_count - coalesce(f.document_count, 0) + 0.5) / (coalesce(f.document_count, 0) + 0.5)) AS rarity,
               greatest(s.total_length::double precision / greatest(s.document_count, 1), 1) AS mean_length
        FROM cognifold.lexemes(asked.words) AS l
        JOIN cognifold.lexical_statistics AS s ON s.tenant_id = tenant
        LEFT JOIN cognifold.lexeme_frequency AS f ON f.tenant_id = tenant AND f.lexeme = l.lexeme  -- none: a word of a concept's title alone
    ), occurrence AS (
        SELECT p.node_id, t.lexeme, t.rarity, t.mean_length, p.frequency, p.document_length
        FROM term AS t
        JOIN cognifold.posting AS p ON p.tenant_id = tenant AND p.lexeme = t.lexeme AND p.kind = ANY (wanted)
        WHERE (moment IS NULL OR NOT EXISTS (SELECT FROM altered AS a WHERE a.node_id = p.node_id))
          AND (NOT filtered OR EXISTS (
                SELECT FROM cognifold.node AS n
                WHERE n.tenant_id = tenant AND n.id = p.node_id
                  AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, since, until, as_of, moment, actors, sources)))
        UNION ALL
        SELECT u.node_id, t.lexeme, t.rarity, t.mean_length, l.frequency, l.document_length
        FROM (SELECT u.node_id, u.title, u.content FROM unfolded AS u
              UNION ALL
              SELECT f.id, f.title, f.content FROM former AS f) AS u
        CROSS JOIN LATERAL (SELECT w.lexeme, w.frequency, sum(w.frequency) OVER () AS document_length
                            FROM cognifold.lexemes(cognifold.indexed_text(u.title, u.content)) AS w) AS l
        JOIN term AS t ON t.lexeme = l.lexeme
    ), words AS MATERIALIZED (
        SELECT o.node_id,
               sum(o.rarity * o.frequency * ((settings ->> 'recall.bm25_k1')::double precision + 1)
                   / (o.frequency + (settings ->> 'recall.bm25_k1')::double precision
                      * (1 - (settings ->> 'recall.bm25_b')::double precision
                         + (settings ->> 'recall.bm25_b')::double precision * o.document_length / o.mean_length))
                   ORDER BY o.lexeme) AS keyword
        FROM occurrence AS o
        GROUP BY o.node_id
        ORDER BY 2 DESC, o.node_id
        LIMIT maximum
    ), best AS (
        SELECT (SELECT max(m.cosine) FROM meaning AS m) AS cosine, (SELECT max(w.keyword) FROM words AS w) AS keyword
    ), direct AS MATERIALIZED (
        SELECT c.node_id, c.cosine, c.keyword,
               n.kind, n.source, n.occurred_at,
               (settings ->> 'recall.weight_meaning')::double precision * greatest(coalesce(c.cosine, 0), 0) / greatest(b.cosine, 1e-9)
               + (settings ->> 'recall.weight_words')::double precision * coalesce(c.keyword, 0) / greatest(b.keyword, 1e-9)
               + CASE WHEN boosted = n.actor THEN (settings ->> 'recall.weight_actor')::double precision ELSE 0 END AS strength
        FROM (SELECT coalesce(m.node_id, w.node_id) AS node_id, m.cosine, w.keyword
              FROM meaning AS m FULL JOIN words AS w ON w.node_id = m.node_id) AS c
        CROSS JOIN (SELECT coalesce(best.cosine, 1) AS cosine, coalesce(best.keyword, 1) AS keyword FROM best) AS b
        JOIN (SELECT n.id, n.kind, n.source, n.occurred_at, n.actor FROM cognifold.node AS n
              WHERE n.tenant_id = tenant AND n.merged_into IS NULL AND (moment IS NULL OR NOT EXISTS (SELECT FROM altered AS a WHERE a.node_id = n.id))
              UNION ALL
              SELECT f.id, f.kind, NULL, f.occurred_at, NULL FROM former AS f) AS n ON n.id = c.node_id
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
        WHERE d.kind = 'event' AND isfinite(d.occurred_at) AND 'event' = ANY (wanted)
        GROUP BY x.node_id
    ), related AS (
        SELECT coalesce(d.node_id, p.node_id) AS node_id, d.cosine, d.keyword,
               coalesce(p.strength, 0) AS neighbours, coalesce(d.strength, 0) + coalesce(p.strength, 0) AS relevance
        FROM direct AS d FULL JOIN passed AS p ON p.node_id = d.node_id
    ), scored AS (
        SELECT n.id AS node_id, n.kind, n.title, n.occurred_at, n.actor, n.source, r.cosine, r.keyword, r.neighbours, r.relevance,
               cognifold.mne_score(1, n.emotional_weight * n.affect_share,
                                   3600 * (cognifold.hours(clock) - cognifold.hours(n.occurred_at)),
                                   coalesce(s.access_count, 0), coalesce(s.integration_score, 0)) AS modulation
        FROM related AS r
        JOIN (SELECT n.id, n.kind, n.title, n.occurred_at, n.actor, n.source, n.emotional_weight, n.recorded_at,
                     CASE WHEN n.affect_inferred THEN (settings ->> 'recall.inferred_affect')::double precision ELSE 1 END AS affect_share
              FROM cognifold.node AS n
              WHERE n.tenant_id = tenant AND (moment IS NULL OR NOT EXISTS (SELECT FROM altered AS a WHERE a.node_id = n.id))
              UNION ALL
              SELECT f.id, f.kind, f.title, f.occurred_at, NULL, NULL, f.emotional_weight, f.recorded_at, 1 FROM former AS f) AS n ON n.id = r.node_id
        LEFT JOIN cognifold.node_state AS s ON s.tenant_id = tenant AND s.node_id = r.node_id
        WHERE cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, since, until, as_of, moment, actors, sources)
    )
    SELECT s.node_id, s.kind, s.title, coalesce((SELECT f.content FROM former AS f WHERE f.id = s.node_id), c.content), s.occurred_at,
           s.relevance * s.modulation, s.actor, s.source,
           s.cosine, s.keyword, coalesce(s.actor = ANY (asked.actors), false), s.neighbours, s.relevance, s.modulation
    FROM scored AS s
    LEFT JOIN cognifold.node_content AS c ON c.tenant_id = tenant AND c.node_id = s.node_id
    WHERE s.relevance > 0 AND s.relevance * s.modulation >= coalesce(minimum_score, 0)
    ORDER BY s.relevance * s.modulation DESC, s.occurred_at DESC, s.node_id
    LIMIT k;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.recall(text, integer, text[], timestamptz, timestamptz, text[], text[], double precision, timestamptz, vector, text, timestamptz, text) IS
    'The k memories that answer a question best, in a stable total order. Narrowed by kinds (event, concept, intent, time), since <= occurred_at < until, actors, sources, minimum_score; as_of scores as of that moment of event time and leaves out what happened later; known_at asks the graph as it was known at that moment of transaction time (by default the setting cognifold.known_at, else now): what was recorded since is left out, and concepts and intents bear the words, the evidence and the being that they had then, while word statistics, accesses and integration are those of today. score = relevance * modulation: relevance sums meaning (cosine over the best cosine), words (BM25 over the best), a boost for events of an actor the question names, and a share of the relevance of the events just before and after (neighbours); modulation is mne_score(1, ...). cosine and keyword are the raw values. Events that wait to be folded are found too (the latest, setting recall.unfolded). Writes nothing. For a tenant with an outside model pass query_embedding and model (CF012 names both models when they differ).';
