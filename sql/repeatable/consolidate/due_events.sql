-- due_events: the events that a pass must look at of itself by now, the longest due first.
CREATE OR REPLACE FUNCTION cognifold.due_events(tenant text, as_of timestamptz, maximum integer) RETURNS uuid[]
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT coalesce(array_agg(d.node_id ORDER BY d.due_at, d.node_id), '{}')
    FROM (
        -- Each state from the head of its part of the index: what waits to be archived is never walked through.
        SELECT s.node_id, s.due_at
        FROM (VALUES ('consolidating'), ('archived')) AS k (state)
        CROSS JOIN LATERAL (
            SELECT s.node_id, s.due_at FROM cognifold.node_state AS s
            WHERE s.tenant_id = due_events.tenant AND s.consolidation_state = k.state AND s.due_at <= due_events.as_of
            ORDER BY s.due_at, s.node_id LIMIT maximum
        ) AS s
        ORDER BY s.due_at, s.node_id LIMIT maximum
    ) AS d
$$;
COMMENT ON FUNCTION cognifold.due_events(text, timestamptz, integer) IS
    'Up to maximum events that are due to be handed to replay_events at as_of without having changed: those that reached the bar when they were last replayed, or whose neighbour was consolidated since, to be looked at once more; archived ones that were asked for often enough to come back. Internal: a pass calls it.';
