-- delivery_faults: where what was told of intents is not what they are.
CREATE OR REPLACE FUNCTION cognifold.delivery_faults(tenant text) RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    RETURN QUERY
    WITH told AS (   -- the last word on each intent that the outbox still holds
        SELECT DISTINCT ON (o.node_id) o.node_id, o.kind, o.status, o.moment
        FROM cognifold.outbox AS o WHERE o.tenant_id = tenant ORDER BY o.node_id, o.position DESC
    )
    SELECT 'what was last told of an intent is what it was then', t.node_id::text,
           format('told %s, is %s', coalesce(t.status, 'gone'), coalesce(s.status, 'gone'))
    FROM told AS t
    LEFT JOIN cognifold.intent_state AS s ON s.tenant_id = tenant AND s.node_id = t.node_id
    WHERE CASE t.kind
              WHEN 'withdrawn' THEN s.node_id IS NOT NULL
              WHEN 'woken' THEN s.node_id IS NULL OR s.status NOT IN ('deferred', 'pending')
              WHEN 'expired' THEN s.node_id IS NULL OR s.status IN ('resolved', 'rejected')
              ELSE t.status IS DISTINCT FROM s.status AND t.status IS DISTINCT FROM cognifold.intent_status(s.status, s.wake_at, s.expires_at, t.moment) END
    UNION ALL
    SELECT 'no position is beyond the head', p.name, format('%s of %s', p.position, h.last_position)
    FROM (SELECT 'outbox' AS name, max(o.position) AS position FROM cognifold.outbox AS o WHERE o.tenant_id = tenant
          UNION ALL
          SELECT c.name, c.cursor_position FROM cognifold.outbox_consumer AS c WHERE c.tenant_id = tenant) AS p
    LEFT JOIN cognifold.outbox_head AS h ON h.tenant_id = tenant
    WHERE p.position > coalesce(h.last_position, 0)
    UNION ALL
    SELECT 'a delivery is behind its consumer''s cursor', format('%s %s', d.consumer, d.position), format('the cursor is at %s', c.cursor_position)
    FROM cognifold.delivery AS d
    JOIN cognifold.outbox_consumer AS c ON c.tenant_id = tenant AND c.name = d.consumer
    WHERE d.tenant_id = tenant AND d.position > c.cursor_position
    UNION ALL
    SELECT 'an alarm is set for what the clock will do', a.node_id::text, format('%s at %s', a.kind, a.due_at)
    FROM cognifold.intent_alarm AS a
    LEFT JOIN cognifold.intent_state AS s ON s.tenant_id = tenant AND s.node_id = a.node_id
    WHERE a.tenant_id = tenant
      AND (CASE a.kind WHEN 'woken' THEN CASE s.status WHEN 'deferred' THEN s.wake_at END
                       ELSE CASE WHEN s.closed_at IS NULL THEN s.expires_at END END) IS DISTINCT FROM a.due_at;
END
$$;
COMMENT ON FUNCTION cognifold.delivery_faults(text) IS
    'Intents whose last happening in the outbox is not what they are, positions beyond the head, deliveries ahead of their cursor, alarms for what will not be. Internal: for check.';
