-- lifecycle_faults: where the record of an intent's life, or of its steps, contradicts itself.
CREATE OR REPLACE FUNCTION cognifold.lifecycle_faults(tenant text) RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    RETURN QUERY
    WITH step AS (
        SELECT t.*, lag(t.to_status, 1, 'pending') OVER in_order AS stood, lag(t.wake_at) OVER in_order AS woke_at,
               row_number() OVER in_order AS number, lead(t.to_status) OVER in_order IS NULL AS is_last
        FROM cognifold.intent_transition AS t WHERE t.tenant_id = tenant WINDOW in_order AS (PARTITION BY t.node_id ORDER BY t.position)
    )
    SELECT 'an intent is where its last step took it', s.node_id::text, format('%s, and stored as %s', coalesce(p.to_status, 'pending'), s.status)
    FROM cognifold.intent_state AS s LEFT JOIN step AS p ON p.node_id = s.node_id AND p.is_last
    WHERE s.tenant_id = tenant AND (s.status, s.wake_at) IS DISTINCT FROM (coalesce(p.to_status, 'pending'), p.wake_at)
    UNION ALL
    SELECT 'each step of an intent begins where it stood', p.node_id::text, format('step %s goes from %s, it was %s', p.position, p.from_status, p.stood)
    FROM step AS p
    -- What the clock does needs no step: a deferred one wakes, an open one expires.
    WHERE p.from_status <> p.stood AND NOT (p.stood = 'deferred' AND p.from_status = 'pending' AND p.woke_at <= p.at)
      AND NOT (p.from_status = 'expired' AND p.stood IN ('pending', 'scheduled', 'deferred'))
    UNION ALL
    SELECT 'the steps of an intent are numbered without a gap', p.node_id::text, format('step %s is the %s.', p.position, p.number)
    FROM step AS p WHERE p.position <> p.number
    UNION ALL
    SELECT 'an answer belongs to its intent', f.event_id::text, f.node_id::text FROM cognifold.intent_feedback AS f
    WHERE f.tenant_id = tenant
      AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS e
                      WHERE e.tenant_id = tenant AND e.source_id = f.event_id AND e.target_id = f.node_id AND e.type = 'user_feedback')
    UNION ALL
    SELECT 'what an intent proposes to do has a plan', format('%s, step %s', a.node_id, a.position), a.plan_id::text FROM cognifold.intent_action_state AS a
    WHERE a.tenant_id = tenant AND NOT EXISTS (SELECT FROM cognifold.plan AS p WHERE p.tenant_id = tenant AND p.plan_id = a.plan_id)
    UNION ALL
    SELECT 'a deadline recurs by a rule', format('%s -> %s', e.source_id, e.target_id), e.metadata ->> 'recurrence' FROM cognifold.graph_edge AS e
    WHERE e.tenant_id = tenant AND e.type = 'deadline_for' AND e.metadata ? 'recurrence'
      AND cognifold.recurrence_fault(e.metadata ->> 'recurrence') IS NOT NULL;
END
$$;
COMMENT ON FUNCTION cognifold.lifecycle_faults(text) IS
    'Intents whose status, transitions, answers or steps contradict each other; deadlines that recur by no rule. Internal: for check.';
