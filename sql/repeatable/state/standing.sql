-- standing: which of these events state something that a newer statement has replaced as of a moment.
CREATE OR REPLACE FUNCTION cognifold.standing(tenant text, node_ids uuid[], clock timestamptz, known_at timestamptz DEFAULT NULL)
RETURNS TABLE (node_id uuid, replaced_by uuid, valid_from timestamptz, valid_until timestamptz, subject text, attribute text, value text)
LANGUAGE sql STABLE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
AS $$
    SELECT s.event_id, e.ended_by, s.occurred_at, CASE s.polarity WHEN 'holds' THEN e.ended_at ELSE s.occurred_at END, s.subject, s.attribute, s.value
    FROM unnest(node_ids) AS g (id)
    CROSS JOIN LATERAL (
        SELECT s.* FROM cognifold.state_statement AS s
        WHERE s.tenant_id = standing.tenant AND s.event_id = g.id AND s.occurred_at <= clock
        ORDER BY s.place LIMIT 100
    ) AS s
    CROSS JOIN LATERAL (
        SELECT a.is_multiple FROM cognifold.state_attribute AS a
        WHERE a.tenant_id = standing.tenant AND a.subject = s.subject AND a.attribute = s.attribute LIMIT 1
    ) AS a
    LEFT JOIN LATERAL cognifold.statement_end(s, a.is_multiple, clock, standing.known_at) AS e ON true
$$;
COMMENT ON FUNCTION cognifold.standing(text, uuid[], timestamptz, timestamptz) IS
    'For each statement in the given events: from when and, as of clock, until when it held (valid_until NULL: it holds), and the event that ended it. Of what was known at known_at alone, where one is given. Events that state nothing have no row; of several statements in one event each has its row. Internal.';
