-- intents_at: what the view intent shows of a moment of transaction time.
CREATE OR REPLACE FUNCTION cognifold.intents_at(tenant text, moment timestamptz) RETURNS TABLE (
    tenant_id text, id uuid, title text, content text, occurred_at timestamptz, recorded_at timestamptz, reasoning text, payload jsonb, plan_id uuid,
    status text, category text, density double precision, pressure double precision, readiness double precision, theta double precision,
    deadline timestamptz, wake_at timestamptz, expires_at timestamptz, closed_at timestamptz, evidence_count bigint, answer_count bigint,
    value double precision
)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH changed AS MATERIALIZED (
        SELECT i.node_id, i.image FROM cognifold.images_since(intents_at.tenant, intents_at.moment, 'intent_state') AS i
    ), said AS MATERIALIZED (
        SELECT e.target_id, count(*) FILTER (WHERE e.type = 'grounds' AND NOT e.inferred) AS evidence,
               count(*) FILTER (WHERE e.type = 'user_feedback') AS answers
        FROM cognifold.edges_at(intents_at.tenant, intents_at.moment) AS e
        WHERE e.target_kind = 'intent' GROUP BY e.target_id
    )
    SELECT intents_at.tenant, n.id, n.title, n.content, n.occurred_at, n.recorded_at, n.reasoning, n.payload, n.plan_id,
           x.status,
           s.category, s.density, s.pressure, s.readiness, s.theta, s.deadline, s.wake_at, s.expires_at, s.closed_at,
           coalesce(d.evidence, 0), coalesce(d.answers, 0),
           CASE WHEN x.status IN ('pending', 'scheduled', 'deferred')
                THEN cognifold.intent_value(s.readiness, a.acceptance, s.deadline, cognifold.now(), cognifold.setting('intent.foresight', intents_at.tenant)) END
    FROM cognifold.nodes_at(intents_at.tenant, intents_at.moment) AS n
    CROSS JOIN LATERAL (
        SELECT r.* FROM changed AS c CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.intent_state, c.image) AS r WHERE c.node_id = n.id
        UNION ALL
        SELECT i.* FROM cognifold.intent_state AS i
        WHERE i.tenant_id = intents_at.tenant AND i.node_id = n.id AND NOT EXISTS (SELECT FROM changed AS o WHERE o.node_id = n.id)
    ) AS s
    CROSS JOIN LATERAL (SELECT cognifold.intent_status(s.status, s.wake_at, s.expires_at, cognifold.now()) AS status) AS x
    LEFT JOIN cognifold.category_acceptance(intents_at.tenant, cognifold.now(), intents_at.moment) AS a ON a.category = s.category
    LEFT JOIN said AS d ON d.target_id = n.id
    WHERE n.kind = 'intent';
END
$$;
COMMENT ON FUNCTION cognifold.intents_at(text, timestamptz) IS
    'The rows of the view intent as they were known at a moment of transaction time; whether a deferred one had woken is as of the memory''s clock. Internal: the view calls it.';
