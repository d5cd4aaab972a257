-- event_faults: which events are not as they were stored, or are neither waiting nor folded.
CREATE OR REPLACE FUNCTION cognifold.event_faults(tenant text) RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    RETURN QUERY
    SELECT 'an event never changes', n.id::text, 'its digest differs from its content'
    FROM cognifold.node AS n
    LEFT JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
    WHERE n.tenant_id = tenant AND n.kind = 'event'
      AND n.digest IS DISTINCT FROM cognifold.event_digest(c.content, n.title, c.payload, n.occurred_at, n.source, n.actor)
    UNION ALL
    SELECT 'every node has content', n.id::text, n.kind FROM cognifold.node AS n
    WHERE n.tenant_id = tenant
      AND NOT EXISTS (SELECT FROM cognifold.node_text AS c WHERE c.tenant_id = n.tenant_id AND c.node_id = n.id)
    UNION ALL
    SELECT 'an event waits or is folded, never both or neither', n.id::text,
           CASE WHEN w.node_id IS NULL THEN 'neither in the queue nor folded' ELSE 'in the queue and folded' END
    FROM cognifold.node AS n
    LEFT JOIN cognifold.work AS w ON w.tenant_id = n.tenant_id AND w.task = 'fold' AND w.node_id = n.id
    LEFT JOIN cognifold.folded_event AS f ON f.tenant_id = n.tenant_id AND f.event_id = n.id
    WHERE n.tenant_id = tenant AND n.kind = 'event'
      AND (w.node_id IS NOT NULL) = (f.event_id IS NOT NULL)
      -- Neither is right where the fold was undone.
      AND (f.event_id IS NOT NULL OR NOT coalesce((
          SELECT bool_and(p.status = 'undone')
          FROM cognifold.journal AS j JOIN cognifold.plan AS p ON p.tenant_id = j.tenant_id AND p.plan_id = j.plan_id
          WHERE j.tenant_id = tenant AND j.node_id = n.id AND j.relation = 'folded_event' AND p.undoes IS NULL), false))
    UNION ALL
    SELECT 'an event is folded by a plan that is applied', f.event_id::text, format('plan %s is %s', p.plan_id, p.status)
    FROM cognifold.folded_event AS f JOIN cognifold.plan AS p ON p.tenant_id = f.tenant_id AND p.plan_id = f.plan_id
    WHERE f.tenant_id = tenant AND p.status <> 'applied';
END
$$;
COMMENT ON FUNCTION cognifold.event_faults(text) IS
    'Events whose digest differs from what they say, nodes without content, events that are lost to the queue or folded by a plan that is undone. Internal: for check.';
