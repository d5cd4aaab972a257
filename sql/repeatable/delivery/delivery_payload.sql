-- delivery_payload: what a receiver is told of a happening: what was noted then, and the intent's words as they are now.
CREATE OR REPLACE FUNCTION cognifold.delivery_payload(tenant text, happening cognifold.outbox) RETURNS jsonb
LANGUAGE plpgsql STABLE  -- planned once a session
SET search_path FROM CURRENT
SET TimeZone = 'UTC'  -- one happening is told in the same words by whoever hands it out
AS $$
#variable_conflict use_column
BEGIN
    RETURN (
        SELECT jsonb_build_object(
            'tenant', tenant, 'intent_id', happening.node_id, 'position', happening.position, 'kind', happening.kind,
            'from_status', happening.from_status, 'status', happening.status, 'category', happening.category, 'at', happening.moment,
            'wake_at', happening.wake_at, 'deadline', happening.deadline, 'expires_at', happening.expires_at,
            'event_id', happening.event_id, 'plan_id', happening.plan_id,
            'title', n.title, 'reason', c.content,
            'density', s.density, 'pressure', s.pressure, 'readiness', s.readiness, 'theta', s.theta,
            'evidence', coalesce((SELECT jsonb_agg(e.source_id ORDER BY e.stamped_at, e.source_id) FROM cognifold.graph_edge AS e
                                  WHERE e.tenant_id = delivery_payload.tenant AND e.target_id = happening.node_id AND e.type = 'grounds' AND NOT e.inferred), '[]'))
        FROM (VALUES (1)) AS one
        LEFT JOIN cognifold.node AS n ON n.tenant_id = delivery_payload.tenant AND n.id = happening.node_id
        LEFT JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
        LEFT JOIN cognifold.intent_state AS s ON s.tenant_id = n.tenant_id AND s.node_id = n.id);
END
$$;
COMMENT ON FUNCTION cognifold.delivery_payload(text, cognifold.outbox) IS
    'The body of a delivery as JSON; title, reason, numbers and evidence are the intent''s own and null once it is gone. Internal.';
