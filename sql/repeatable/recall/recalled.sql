-- recalled: everything that is to be said about the memories that answer a question; recall shows a part of it.
--
--   the question read ─► recall_candidates ─► fuse ─► neighbours, spread ─► state ─► modulate ─► the best k
--
-- Candidates by meaning and by words are each divided by their best, so that neither scale matters, and sharpened, so that
-- what is nearly the best counts and what is merely like it does not; the actor and the names a question names add to that.
-- A memory passes part of its relevance on to what happened just before and after it in its source, a question more of it
-- to its answer; what stands out most spreads over names that memories share. What states what is asked for gains, what a
-- newer statement has replaced is put below that, and what an open intent is about gains a share of what it has. What answers
-- is then modulated: by emotion, recency, use and integration as the MNE score says, by the time and the actor the question
-- names, by affect like the question's, and down where it only asks itself.
CREATE OR REPLACE FUNCTION cognifold.recalled(
    tenant text, query text, k integer, narrow cognifold.narrowing, minimum_score double precision, query_embedding vector, model text, seen uuid[],
    explained boolean DEFAULT true
) RETURNS TABLE (
    node_id uuid, kind text, title text, content text, occurred_at timestamptz, score double precision,
    actor text, source text, cosine double precision, keyword double precision, names_actor boolean,
    neighbours double precision, intent double precision, relevance double precision, modulation double precision,
    signals jsonb, factors jsonb, path uuid[], path_reason text
)
LANGUAGE plpgsql STABLE ROWS 10
SET search_path FROM CURRENT
-- Every step below is an index look-up per candidate, whoever the tenant is: one plan serves all, and none is made anew. What
-- is hashed are steps: no table is joined to anything but by a look-up of its own.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_mergejoin = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    settings        jsonb := cognifold.settings(tenant);
    weight_meaning  double precision := settings -> 'recall.weight_meaning';
    weight_words    double precision := settings -> 'recall.weight_words';
    weight_actor    double precision := settings -> 'recall.weight_actor';
    weight_title    double precision := settings -> 'recall.weight_title';
    weight_mention  double precision := settings -> 'recall.weight_mention';
    weight_time     double precision := settings -> 'recall.weight_time';
    weight_state    double precision := settings -> 'recall.weight_state';
    replaced_share  double precision := settings -> 'recall.replaced_share';
    replaced_near   double precision := settings -> 'recall.replaced_near';
    standing        integer := settings -> 'recall.standing';
    sharpness       double precision := settings -> 'recall.sharpness';
    answer_share    double precision := settings -> 'recall.answer_share';
    lift_actor      double precision := settings -> 'recall.lift_actor';
    lift_time       double precision := settings -> 'recall.lift_time';
    discount_asking double precision := settings -> 'recall.discount_asking';
    weight_affect   double precision := settings -> 'recall.weight_affect';
    weight_mne      double precision := settings -> 'recall.weight_mne';
    intent_boost    double precision := settings -> 'intent.recall_boost';
    shares          double precision[] := ARRAY[settings -> 'recall.neighbour_share', settings -> 'recall.second_neighbour_share'];
    answer_shares   double precision[] := ARRAY[shares[1] + answer_share, shares[2]];  -- of what asks, to what comes after
    window_length   interval := make_interval(secs => (settings -> 'recall.neighbour_window')::double precision);
    inferred_affect double precision := settings -> 'recall.inferred_affect';
    depth           integer := settings -> 'recall.candidates';
    near            integer := settings -> 'recall.vector_candidates';
    spreading       integer := settings -> 'recall.spreading';
    own             cognifold.embedding_model := cognifold.tenant_model(tenant);
    moment          timestamptz := coalesce((narrow).as_of, cognifold.now());
    clock           double precision := cognifold.hours(moment);
    of_now          boolean := NOT cognifold.speaks_of_past(query);
    asked           record;
    question        halfvec;
    boosted         text;           -- the one actor the question names; of several no one is meant more than the other
    altered         uuid[];         -- by plans since known_at
    starts          timestamptz[];  -- of the spans of time the question speaks of
    ends            timestamptz[];
    held_until      timestamptz;    -- of the latest of them that is a date
    held_rest       text;           -- the question without it
    felt            record;         -- how the question feels
BEGIN
    IF query IS NULL OR query !~ '\S' THEN
        RAISE EXCEPTION 'recall: the query is empty' USING ERRCODE = 'CF010', HINT = 'Ask with at least one word.';
    ELSIF k IS NULL OR k NOT BETWEEN 1 AND 10000 THEN
        RAISE EXCEPTION 'recall: k = % is not between 1 and 10000', coalesce(k::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'k is how many memories to return.';
    ELSIF minimum_score IN ('NaN', 'Infinity', '-Infinity') THEN
        RAISE EXCEPTION 'recall: minimum_score = % is not a number to compare with', minimum_score
            USING ERRCODE = 'CF010', HINT = 'Give a finite number; 0 leaves everything in that was found.';
    END IF;
    -- Deeper by doubling, and only for who asks for more: up to there the ranking does not depend on the size of a page.
    seen := array_remove(seen, NULL);
    WHILE depth < k + coalesce(cardinality(seen), 0) LOOP
        depth := 2 * depth;
        near := 2 * near;
        spreading := 2 * spreading;
    END LOOP;
    SELECT t.* INTO asked FROM cognifold.query_terms(tenant, query) AS t;
    IF cardinality(asked.actors) = 1 THEN
        boosted := asked.actors[1];
    END IF;
    question := cognifold.question_vector(tenant, own, asked.words, query_embedding, model);
    SELECT array_agg(t.since) FILTER (WHERE lift_time > 0), array_agg(t.until) FILTER (WHERE lift_time > 0),
           (array_agg(t.until ORDER BY t.until DESC) FILTER (WHERE t.kind = 'hard'))[1], (array_agg(t.rest ORDER BY t.until DESC) FILTER (WHERE t.kind = 'hard'))[1]
    INTO starts, ends, held_until, held_rest
    FROM cognifold.query_times(query, moment, NULL) AS t;
    SELECT a.emotional_weight, a.arousal INTO felt FROM cognifold.affect(query) AS a WHERE weight_affect > 0;

    IF (narrow).known_at IS NOT NULL THEN
        altered := cognifold.altered_nodes(tenant, (narrow).known_at);
    END IF;

    RETURN QUERY
    WITH former AS MATERIALIZED (
        SELECT f.* FROM cognifold.former_nodes(tenant, altered, narrow) AS f
    ), candidate AS MATERIALIZED (
        SELECT f.* FROM cognifold.recall_candidates(tenant, query, asked.words, own.model_id, question, narrow, altered, starts, ends, held_until, held_rest, near, depth, settings) AS f
    ), known AS MATERIALIZED (   -- LIMIT 1, here and below: by its key, also where most tenants have so few nodes that reading all would seem cheaper
        SELECT n.id, n.kind, n.source, n.occurred_at, n.actor, n.asks
        FROM candidate AS c
        CROSS JOIN LATERAL (SELECT k.* FROM cognifold.node AS k WHERE k.tenant_id = tenant AND k.id = c.node_id LIMIT 1) AS n
        WHERE n.merged_into IS NULL AND (altered IS NULL OR n.id <> ALL (altered))
        UNION ALL
        SELECT f.id, f.kind, NULL, f.occurred_at, NULL, false FROM former AS f
    ), direct AS MATERIALIZED (
        SELECT c.node_id, c.cosine, c.keyword, n.kind, n.source, n.occurred_at, n.asks, p.by_meaning, p.by_words, p.by_actor, p.by_names, p.by_time, c.stated, c.replaced,
               p.by_meaning + p.by_words + p.by_actor + p.by_names + p.by_time AS strength
        FROM candidate AS c
        JOIN known AS n ON n.id = c.node_id
        CROSS JOIN (SELECT greatest(max(f.cosine), 1e-9) AS cosine, greatest(max(f.keyword), 1e-9) AS keyword FROM candidate AS f) AS best
        CROSS JOIN LATERAL (
            SELECT weight_meaning * power(greatest(coalesce(c.cosine, 0), 0) / best.cosine, sharpness) AS by_meaning,
                   weight_words * power(coalesce(c.keyword, 0) / best.keyword, sharpness) AS by_words,
                   CASE WHEN boosted = n.actor THEN weight_actor ELSE 0 END AS by_actor,
                   weight_title * coalesce(c.titled, 0) + weight_mention * coalesce(c.named, 0) AS by_names,
                   CASE WHEN c.dated THEN weight_time ELSE 0 END AS by_time
        ) AS p
    ), origin AS (
        SELECT d.node_id, d.source, d.occurred_at, d.strength, d.asks
        FROM direct AS d
        WHERE d.kind = 'event' AND isfinite(d.occurred_at) AND 'event' = ANY ((narrow).kinds)
          AND d.source IS NOT NULL  -- what came from nowhere in particular has no neighbours
        ORDER BY d.strength DESC, d.node_id
        LIMIT spreading
    ), passed AS (   -- to the two events before and the two after, in the same source and within the window
        SELECT x.node_id, sum(o.strength * x.share ORDER BY o.strength * x.share) AS strength
        FROM origin AS o
        CROSS JOIN LATERAL (
            (SELECT b.id AS node_id, shares[row_number() OVER (ORDER BY b.occurred_at DESC, b.id DESC)] AS share
             FROM cognifold.node AS b
             WHERE b.tenant_id = tenant AND b.kind = 'event' AND CASE WHEN b.source IS NULL THEN '' ELSE b.source END = o.source
               AND (b.occurred_at, b.id) < (o.occurred_at, o.node_id) AND b.occurred_at >= o.occurred_at - window_length
             ORDER BY b.occurred_at DESC, b.id DESC LIMIT 2)
            UNION ALL
            (SELECT a.id, (CASE WHEN o.asks THEN answer_shares ELSE shares END)[row_number() OVER (ORDER BY a.occurred_at, a.id)] AS share
             FROM cognifold.node AS a
             WHERE a.tenant_id = tenant AND a.kind = 'event' AND CASE WHEN a.source IS NULL THEN '' ELSE a.source END = o.source
               AND (a.occurred_at, a.id) > (o.occurred_at, o.node_id) AND a.occurred_at <= o.occurred_at + window_length
             ORDER BY a.occurred_at, a.id LIMIT 2)
        ) AS x
        GROUP BY x.node_id
    ), strongest AS (
        SELECT array_agg(d.node_id ORDER BY d.strength DESC, d.node_id) AS ids, array_agg(d.strength ORDER BY d.strength DESC, d.node_id) AS strengths
        FROM (SELECT d.node_id, d.strength FROM direct AS d ORDER BY d.strength DESC, d.node_id LIMIT spreading) AS d
    ), activated AS MATERIALIZED (   -- over names and over the live graph
        SELECT a.node_id, a.strength, a.via, a.reason
        FROM strongest AS s CROSS JOIN LATERAL cognifold.spread(tenant, s.ids, s.strengths, narrow, settings) AS a
    ), brought AS MATERIALIZED (
        SELECT coalesce(d.node_id, p.node_id, a.node_id) AS node_id, d.cosine, d.keyword, coalesce(p.strength, 0) AS neighbours,
               d.by_meaning, d.by_words, d.by_actor, d.by_names, d.by_time AS dated, a.strength AS by_spreading, d.stated, d.replaced,
               coalesce(d.strength, 0) + coalesce(p.strength, 0) + coalesce(a.strength, 0) + coalesce(d.stated, 0) * weight_state AS strength
        FROM direct AS d
        FULL JOIN passed AS p ON p.node_id = d.node_id
        FULL JOIN activated AS a ON a.node_id = coalesce(d.node_id, p.node_id)
    ), superseded AS MATERIALIZED (   -- what no longer holds, and what holds instead, where both are here
        SELECT b.node_id, b.replaced AS holds, 0::double precision AS least FROM brought AS b WHERE b.replaced IS NOT NULL
        UNION ALL
        SELECT s.node_id, s.replaced_by, replaced_near
        FROM cognifold.replaced_memories(
            tenant, CASE WHEN of_now THEN ARRAY(SELECT b.node_id FROM brought AS b WHERE b.stated IS NULL ORDER BY b.strength DESC, b.node_id LIMIT standing) END, moment, (narrow).known_at) AS s
    ), wanted AS MATERIALIZED (   -- what open intents are about
        SELECT a.node_id, intent_boost * a.pull AS share
        FROM cognifold.attracting(tenant, CASE WHEN intent_boost > 0 THEN ARRAY(SELECT b.node_id FROM brought AS b) END, '{triggers,grounds}',
                                  moment, (narrow).known_at, settings) AS a
    ), related AS MATERIALIZED (   -- what is replaced stands below what holds now, wanted or not
        SELECT b.*, b.strength - coalesce(r.by_replacement, 0) + i.by_intent AS relevance, r.by_replacement, i.by_intent
        FROM brought AS b
        LEFT JOIN (
            SELECT s.node_id, max(greatest(0, b.strength - replaced_share * h.strength)) AS by_replacement
            FROM superseded AS s JOIN brought AS b ON b.node_id = s.node_id JOIN brought AS h ON h.node_id = s.holds
            WHERE h.strength >= s.least * b.strength
            GROUP BY s.node_id
        ) AS r ON r.node_id = b.node_id
        LEFT JOIN wanted AS w ON w.node_id = b.node_id
        CROSS JOIN LATERAL (SELECT CASE WHEN r.by_replacement IS NULL THEN coalesce(w.share * b.strength, 0) ELSE 0 END AS by_intent) AS i
        ORDER BY relevance DESC, b.node_id
        LIMIT depth
    ), shown AS MATERIALIZED (
        SELECT n.id, n.kind, n.title, NULL AS content, n.occurred_at, n.actor, n.source, n.asks, n.emotional_weight AS feeling, n.arousal,
               n.emotional_weight * CASE WHEN n.affect_inferred THEN inferred_affect ELSE 1 END AS emotional_weight
        FROM related AS r
        CROSS JOIN LATERAL (SELECT k.* FROM cognifold.node AS k WHERE k.tenant_id = tenant AND k.id = r.node_id LIMIT 1) AS n
        WHERE (altered IS NULL OR n.id <> ALL (altered))
          AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, narrow)
        UNION ALL
        SELECT f.id, f.kind, f.title, f.content, f.occurred_at, NULL, NULL, false, NULL, NULL, f.emotional_weight FROM former AS f
    ), used AS MATERIALIZED (
        SELECT s.node_id, s.access_count, s.integration_score FROM cognifold.node_state AS s
        WHERE s.tenant_id = tenant AND s.node_id = ANY (ARRAY(SELECT r.node_id FROM related AS r))
    ), scored AS (
        SELECT r.node_id, n.kind, n.title, n.content, n.occurred_at, n.actor, n.source, r.cosine, r.keyword, r.neighbours, r.by_intent, r.relevance, m.modulation,
               r.relevance * m.modulation AS score, r.by_meaning, r.by_words, r.by_actor, r.by_names, r.dated, r.by_spreading, r.stated, r.by_replacement, n.emotional_weight, a.age, a.accesses, a.integration,
               a.by_actor AS lift_by_actor, a.by_time, a.by_affect, a.by_asking
        FROM related AS r
        JOIN shown AS n ON n.id = r.node_id
        LEFT JOIN used AS s ON s.node_id = r.node_id
        CROSS JOIN LATERAL (
            SELECT 3600 * (clock - cognifold.hours(n.occurred_at)) AS age, coalesce(s.access_count, 0) AS accesses,
                   coalesce(s.integration_score, 0) AS integration,
                   CASE WHEN boosted = n.actor THEN 1 + lift_actor ELSE 1 END AS by_actor,
                   CASE WHEN starts IS NOT NULL AND EXISTS (SELECT FROM unnest(starts, ends) AS t (since, until) WHERE n.occurred_at >= t.since AND n.occurred_at < t.until)
                        THEN 1 + lift_time ELSE 1 END AS by_time,
                   1 + weight_affect * coalesce(greatest(0, 1 - abs(felt.emotional_weight - n.feeling) / 2 - abs(felt.arousal - n.arousal)), 0) AS by_affect,
                   CASE WHEN n.asks THEN 1 - discount_asking ELSE 1 END AS by_asking
            OFFSET 0   -- or each would be reckoned wherever it is named
        ) AS a
        CROSS JOIN LATERAL (
            SELECT power(cognifold.mne_score(1, n.emotional_weight, a.age, a.accesses, a.integration), weight_mne) * a.by_actor * a.by_time * a.by_affect * a.by_asking AS modulation
            OFFSET 0
        ) AS m
        WHERE r.relevance > 0 AND r.relevance * m.modulation >= coalesce(minimum_score, 0) AND (seen IS NULL OR r.node_id <> ALL (seen))
        ORDER BY score DESC, n.occurred_at DESC, r.node_id
        LIMIT k
    )
    SELECT s.node_id, s.kind, s.title, coalesce(s.content, (SELECT c.content FROM cognifold.node_text AS c WHERE c.tenant_id = tenant AND c.node_id = s.node_id)), s.occurred_at, s.score,
           s.actor, s.source, s.cosine, s.keyword, coalesce(s.actor = ANY (asked.actors), false), s.neighbours, s.by_intent, s.relevance, s.modulation,
           -- What each signal brought: they sum to relevance. Each factor alone, those of the MNE score by that formula: they multiply to modulation.
           CASE WHEN explained THEN jsonb_strip_nulls(jsonb_build_object(
               'meaning', NULLIF(s.by_meaning, 0), 'words', NULLIF(s.by_words, 0), 'actor', NULLIF(s.by_actor, 0), 'neighbours', NULLIF(s.neighbours, 0),
               'names', NULLIF(s.by_names, 0), 'time', NULLIF(s.dated, 0), 'spreading', NULLIF(s.by_spreading, 0), 'state', NULLIF(s.stated * weight_state, 0),
               'replaced', NULLIF(-s.by_replacement, 0), 'intent', NULLIF(s.by_intent, 0))) END,
           CASE WHEN explained THEN jsonb_strip_nulls(jsonb_build_object(
               'emotion', power(cognifold.mne_score(1, s.emotional_weight, 0, 0, 0), weight_mne), 'recency', power(cognifold.mne_score(1, 0, s.age, 0, 0), weight_mne),
               'use', power(cognifold.mne_score(1, 0, 0, s.accesses, 0), weight_mne), 'integration', power(cognifold.mne_score(1, 0, 0, 0, s.integration), weight_mne),
               'actor', NULLIF(s.lift_by_actor, 1), 'time', NULLIF(s.by_time, 1), 'affect', NULLIF(s.by_affect, 1), 'asking', NULLIF(s.by_asking, 1))) END,
           v.via, v.reason
    FROM scored AS s
    LEFT JOIN activated AS v ON v.node_id = s.node_id
    ORDER BY s.score DESC, s.occurred_at DESC, s.node_id;
END
$$;
COMMENT ON FUNCTION cognifold.recalled(text, text, integer, cognifold.narrowing, double precision, vector, text, uuid[], boolean) IS
    'What recall returns and why, for one narrowing; see recall. signals says what each brought to relevance, and sums to it; factors multiply to modulation; both only where explained is asked for. Internal: recall and explain_recall call it.';
