-- asked_state: the statements about what a question asks for, which of them answer it, and what holds instead of those that do not.
CREATE OR REPLACE FUNCTION cognifold.asked_state(tenant text, query text, narrow cognifold.narrowing, until timestamptz, rest text, settings jsonb)
RETURNS TABLE (node_id uuid, strength double precision, answers boolean, holds uuid)
LANGUAGE plpgsql STABLE ROWS 5
SET search_path FROM CURRENT
-- Each statement looks a few rows up by their keys, whoever the tenant is: one plan, made once.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    depth integer := settings -> 'state.depth';
    asked record;
BEGIN
    IF NOT EXISTS (SELECT FROM cognifold.state_attribute AS a WHERE a.tenant_id = tenant) THEN
        RETURN;   -- nothing was ever stated
    END IF;
    SELECT s.* INTO asked FROM cognifold.state_question(tenant, query, narrow, until, rest) AS s;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    RETURN QUERY
    WITH told AS (
        SELECT s.event_id, c.strength, s.polarity, e.ended_by, s.occurred_at,
               CASE s.polarity WHEN 'holds' THEN e.ended_at ELSE s.occurred_at END AS ended_at, s.place, s.subject, s.attribute, s.value, c.is_multiple, c.words
        FROM cognifold.asked_attributes(tenant, asked.words, asked.asked, asked.subjects, asked.of_person, settings) AS c
        CROSS JOIN LATERAL (
            SELECT s.* FROM cognifold.state_statement AS s
            WHERE s.tenant_id = tenant AND s.subject = c.subject AND s.attribute = c.attribute AND s.occurred_at <= asked.moment
            ORDER BY s.occurred_at DESC, s.event_id DESC, s.place DESC
            LIMIT depth
        ) AS s
        LEFT JOIN LATERAL cognifold.statement_end(s, c.is_multiple, asked.moment, (narrow).known_at) AS e ON true
    ), allowed AS (
        SELECT t.* FROM told AS t
        WHERE NOT coalesce((narrow).narrowed, false) OR EXISTS (
            SELECT FROM cognifold.node AS n
            WHERE n.tenant_id = tenant AND n.id = t.event_id
              AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, narrow))
    ), placed AS (
        SELECT a.*,
               row_number() OVER (PARTITION BY a.subject, a.attribute, a.ended_at IS NULL ORDER BY a.occurred_at DESC, a.event_id DESC, a.place DESC) AS newest,
               row_number() OVER (PARTITION BY a.subject, a.attribute ORDER BY a.occurred_at, a.event_id, a.place) AS oldest
        FROM allowed AS a
    ), judged AS (
        SELECT p.*, CASE asked.tense
                WHEN 'before' THEN p.ended_at IS NOT NULL AND p.newest = 1
                WHEN 'first' THEN p.oldest = 1
                -- of one that ended without a successor, the end is the answer
                ELSE p.ended_at IS NULL OR p.polarity = 'ends' AND p.newest = 1
                     AND NOT EXISTS (SELECT FROM placed AS h WHERE h.subject = p.subject AND h.attribute = p.attribute AND (h.ended_at IS NULL OR h.occurred_at > p.occurred_at)) END AS answers
        FROM placed AS p
    ), latest AS (   -- one thing said in two wordings ("streaming", "streaming service") has one value
        SELECT j.*, n.event_id AS newer, n.occurred_at AS newer_at
        FROM judged AS j
        LEFT JOIN LATERAL (
            SELECT o.event_id, o.occurred_at FROM judged AS o
            WHERE asked.tense IN ('now', 'then') AND j.answers AND o.answers AND NOT j.is_multiple AND NOT o.is_multiple
              AND o.subject = j.subject AND o.attribute <> j.attribute AND o.words && j.words AND o.words <@ asked.asked AND j.words <@ asked.asked AND (o.occurred_at, o.event_id) > (j.occurred_at, j.event_id)
            ORDER BY o.occurred_at, o.event_id LIMIT 1
        ) AS n ON true
    )
    SELECT f.event_id, f.strength, f.answers,
           CASE WHEN f.ended_at IS NULL OR f.answers THEN NULL
                WHEN bool_or(f.answers) OVER same THEN first_value(f.event_id) OVER (same ORDER BY f.answers DESC, f.strength DESC, f.event_id)
                ELSE f.ended_by END   -- said in other words
    FROM (
        SELECT r.event_id, r.strength, r.answers, r.ended_by, r.ended_at, r.subject, r.attribute
        FROM (
            SELECT DISTINCT ON (j.event_id) j.event_id, j.answers, j.ended_by, j.occurred_at, j.ended_at, j.subject, j.attribute, j.value,
                   -- Of several that hold, the latest first: by so little that the fit decides before.
                   j.strength * (1 - 0.05 * least(j.rank, 4)) AS strength
            FROM (SELECT l.event_id, l.answers AND l.newer IS NULL AS answers, coalesce(l.ended_by, l.newer) AS ended_by, l.occurred_at, coalesce(l.ended_at, l.newer_at) AS ended_at,
                         l.subject, l.attribute, l.value, l.strength, l.place,
                         dense_rank() OVER (PARTITION BY l.answers AND l.newer IS NULL ORDER BY l.occurred_at DESC, l.event_id DESC) - 1 AS rank
                  FROM (SELECT l.*, bool_or(l.ended_at IS NOT NULL OR l.newer IS NOT NULL OR l.event_id IN (SELECT o.newer FROM latest AS o)) OVER (PARTITION BY l.subject, l.attribute) AS changed FROM latest AS l) AS l
                  -- Where nothing ever changed and nobody asks for the present, likeness alone decides.
                  WHERE l.changed AND NOT (l.is_multiple AND l.answers) OR lower(left(query, 2000)) ~ '\m(now|current|currently|still|nowadays|these days|at the moment|at present|presently|today|as of)\M') AS j
            ORDER BY j.event_id, j.answers DESC, j.strength DESC, j.place DESC
        ) AS r
        ORDER BY r.answers DESC, r.strength DESC, r.occurred_at DESC, r.event_id
        LIMIT depth
    ) AS f
    WINDOW same AS (PARTITION BY f.subject, f.attribute);
END
$$;
COMMENT ON FUNCTION cognifold.asked_state(text, text, cognifold.narrowing, timestamptz, text, jsonb) IS
    'The statements about the subject and attribute that a question asks for, at most state.depth: strength in [0, 1], how well the attribute fits the question; answers: it holds (at the moment the question speaks of), or is the earlier one asked for; holds: what answers instead of one that was replaced. until and rest are of the latest date that the question speaks of (query_times). No row for a question that asks for no state. Internal.';
