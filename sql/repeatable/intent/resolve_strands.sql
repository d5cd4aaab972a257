-- resolve_strands: closes open intents whose events a new one is near to that says of them that it is done.
CREATE OR REPLACE FUNCTION cognifold.resolve_strands(tenant text, clock timestamptz, settings jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    shared  CONSTANT integer := settings ->> 'intent.shared';
    subject record;
    ended   record;
    applied jsonb;
BEGIN
    PERFORM cognifold.read_events(tenant, ARRAY(
        SELECT n.id FROM (SELECT DISTINCT q.node_id FROM cognifold.intent_due AS q WHERE q.tenant_id = tenant AND q.due_at <= clock) AS q
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = q.node_id AND n.kind = 'event'));
    FOR subject IN
        SELECT n.id, n.occurred_at
        FROM (SELECT DISTINCT q.node_id FROM cognifold.intent_due AS q WHERE q.tenant_id = tenant AND q.due_at <= clock) AS q
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = q.node_id AND n.kind = 'event' AND n.occurred_at <= clock
        JOIN cognifold.cue_reading AS r ON r.tenant_id = tenant AND r.node_id = n.id AND r.done >= (settings ->> 'intent.cue')::double precision
        ORDER BY n.occurred_at, n.id
    LOOP
        -- The one open intent of which it says so most surely, being near to two of its events and later than all.
        SELECT c.intent_id INTO ended
        FROM (
            SELECT g.target_id AS intent_id,
                   (SELECT avg(a) FROM unnest((array_agg(e.affinity ORDER BY e.affinity DESC))[:shared]) AS a) AS nearness
            FROM cognifold.near_events(tenant, subject.id, subject.occurred_at - make_interval(secs => 86400 * 3 * (settings ->> 'intent.strand_days')::double precision),
                                       subject.occurred_at, settings) AS e
            JOIN cognifold.graph_edge AS g ON g.tenant_id = tenant AND g.source_id = e.near_id AND g.type = 'grounds' AND g.target_kind = 'intent'
            JOIN cognifold.intent_state AS s ON s.tenant_id = tenant AND s.node_id = g.target_id
            WHERE e.affinity >= (settings ->> 'intent.near_done')::double precision
              AND cognifold.intent_status(s.status, s.wake_at, s.expires_at, clock) IN ('pending', 'scheduled', 'deferred')
              -- Who reopened it knew of all that had happened until then.
              AND subject.occurred_at > coalesce(cognifold.reopened_at(tenant, g.target_id), '-infinity')
            GROUP BY g.target_id
            HAVING count(*) >= shared
            ORDER BY nearness DESC, g.target_id
            LIMIT (settings ->> 'intent.done_intents')::integer
        ) AS c
        CROSS JOIN LATERAL (
            SELECT array_agg(v.id) AS events, max(v.occurred_at) AS latest
            FROM cognifold.graph_edge AS o
            JOIN cognifold.node AS v ON v.tenant_id = o.tenant_id AND v.id = o.source_id AND v.kind = 'event'
            WHERE o.tenant_id = tenant AND o.target_id = c.intent_id AND o.type = 'grounds'
        ) AS told
        CROSS JOIN LATERAL (
            SELECT cognifold.said_done(tenant, subject.id, told.events, settings) AS surely
            WHERE told.latest < subject.occurred_at
        ) AS d
        WHERE d.surely >= (settings ->> 'intent.completion')::double precision
        ORDER BY d.surely * c.nearness DESC, c.intent_id
        LIMIT 1;
        CONTINUE WHEN NOT FOUND;
        applied := cognifold.execute_plan(tenant, jsonb_build_object(
            'trigger_event_id', subject.id, 'reasoning', 'what the intent asked for has been done',
            'operations', jsonb_build_array(jsonb_build_object(
                'op', 'ADD_EDGE', 'source', subject.id, 'target', ended.intent_id, 'type', 'related_to', 'weight', 0.9,
                'metadata', jsonb_build_object('role', 'resolution'), 'grounded_in', jsonb_build_array(subject.id),
                'reasoning', 'it is near to what the intent rests on, and says that it is done'))), 'intent');
        PERFORM cognifold.step_intent(tenant, ended.intent_id, 'resolved', NULL, subject.id, (applied ->> 'plan_id')::uuid, clock);
    END LOOP;
END
$$;
COMMENT ON FUNCTION cognifold.resolve_strands(text, timestamptz, jsonb) IS
    'Resolves open intents by newly folded events that are near (intent.near_done) to intent.shared of the events an intent rests on, are later than all of them, and say that what they speak of is done (said_done reaches intent.completion). An event ends one intent at most, that of the greatest product of said_done and mean affinity to the intent.shared nearest; tied to it as resolve_intents does. Internal: emit_intents calls it.';
