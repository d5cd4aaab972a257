-- suppressing_intent: the stronger goal of the same matter for which an impulsive one is better held back, if there is one.
CREATE OR REPLACE FUNCTION cognifold.suppressing_intent(
    tenant text, members uuid[], evidence uuid[], readiness double precision, category text, deadline timestamptz, clock timestamptz, settings jsonb
) RETURNS uuid
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    decay  double precision;
    goals  uuid[];  -- the active intents that are stronger
    result uuid;
BEGIN
    IF (settings ->> 'intent.suppress')::integer = 0
       OR readiness >= cognifold.category_theta(tenant, category, clock) + (settings ->> 'intent.impulse')::double precision
       OR deadline < clock + make_interval(secs => 86400 * (settings ->> 'intent.foresight')::double precision) THEN
        RETURN NULL;
    END IF;
    -- What was agreed to or stated by a person is stronger than any impulse.
    goals := ARRAY(
        SELECT s.node_id FROM cognifold.intent_state AS s
        JOIN cognifold.node AS n ON n.tenant_id = s.tenant_id AND n.id = s.node_id AND n.occurred_at <= clock
        CROSS JOIN LATERAL (SELECT cognifold.intent_status(s.status, s.wake_at, s.expires_at, clock) AS status) AS x
        WHERE s.tenant_id = tenant AND s.closed_at IS NULL
          AND (x.status = 'scheduled' OR x.status = 'pending' AND (s.readiness IS NULL OR s.readiness > readiness)));
    IF goals = '{}' THEN
        RETURN NULL;
    END IF;
    decay := cognifold.decay_integral(tenant, 'semantic', clock);

    WITH related AS (
        -- Of the same concepts, or of such as a live edge joins with them.
        SELECT t.target_id AS goal
        FROM cognifold.graph_edge AS t
        WHERE t.tenant_id = tenant AND t.target_id = ANY (goals) AND t.type = 'triggers' AND t.source_kind = 'concept'
          AND (t.source_id = ANY (members) OR EXISTS (
              SELECT FROM unnest(members) AS m (id)
              CROSS JOIN LATERAL (
                  SELECT e.potential, e.stamped_at, e.faded_at FROM cognifold.graph_edge AS e
                  WHERE e.tenant_id = tenant AND e.source_id = t.source_id AND e.target_id = m.id AND NOT e.inferred AND e.type <> 'contradicts'
                  UNION ALL
                  SELECT e.potential, e.stamped_at, e.faded_at FROM cognifold.graph_edge AS e
                  WHERE e.tenant_id = tenant AND e.source_id = m.id AND e.target_id = t.source_id AND NOT e.inferred AND e.type <> 'contradicts'
              ) AS e
              WHERE e.stamped_at <= clock AND (e.faded_at IS NULL OR e.faded_at > clock)
                AND cognifold.mass(e.potential, decay) >= (settings ->> 'edge.fade')::double precision))
        UNION   -- Of the same events.
        SELECT g.target_id FROM cognifold.graph_edge AS g
        WHERE g.tenant_id = tenant AND g.source_id = ANY (evidence) AND g.target_id = ANY (goals) AND g.type IN ('grounds', 'triggers')
        UNION   -- Of the same names, each weighing the more the fewer events have it.
        SELECT s.goal
        FROM (
            SELECT DISTINCT g.target_id AS goal, w.lexeme, w.weight
            FROM (
                SELECT f.lexeme, ln(d.document_count::double precision / f.document_count) / ln(d.document_count::double precision) AS weight
                FROM (
                    SELECT DISTINCT cognifold.lexeme(m.word[1]) AS lexeme
                    FROM unnest(evidence) AS e (id)
                    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = e.id
                    JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
                    -- What begins a sentence is in capitals, too.
                    CROSS JOIN LATERAL regexp_matches(left(c.content, 20000), '(?<![.!?:]["'')]?\s)(?<!^)\m[[:upper:]][[:alnum:]]{2,}', 'gn') AS m (word)
                ) AS l
                JOIN cognifold.lexeme_frequency AS f ON f.tenant_id = tenant AND f.lexeme = l.lexeme AND f.document_count >= 2
                JOIN cognifold.lexical_statistics AS d ON d.tenant_id = tenant AND d.document_count > f.document_count
            ) AS w
            JOIN cognifold.graph_edge AS g ON g.tenant_id = tenant AND g.target_id = ANY (goals) AND g.type = 'grounds' AND g.source_kind = 'event'
            JOIN cognifold.posting AS p ON p.tenant_id = tenant AND p.lexeme = w.lexeme AND p.node_id = g.source_id
        ) AS s
        GROUP BY s.goal
        HAVING sum(s.weight ORDER BY s.lexeme) >= (settings ->> 'intent.shared_names')::double precision
    )
    SELECT s.node_id INTO result
    FROM related AS r JOIN cognifold.intent_state AS s ON s.tenant_id = tenant AND s.node_id = r.goal
    ORDER BY s.status = 'scheduled' DESC, s.readiness DESC NULLS FIRST, s.node_id
    LIMIT 1;
    RETURN result;
END
$$;
COMMENT ON FUNCTION cognifold.suppressing_intent(text, uuid[], uuid[], double precision, text, timestamptz, timestamptz, jsonb) IS
    'The strongest active intent (scheduled, or pending with more readiness or stated by a user) that has to do with a candidate: its concept is one of the members or has a live stated edge with one, its evidence is partly the same, or the names that both speak of weigh intent.shared_names. NULL for none, where the candidate is no impulse (intent.impulse or more above its bar, or a deadline within intent.foresight) and where intent.suppress is 0. Internal.';
