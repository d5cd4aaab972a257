-- resolve_strands: closes open intents whose events a new one is near to that says it is done.
CREATE OR REPLACE FUNCTION cognifold.resolve_strands(tenant text, clock timestamptz, settings jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
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
        JOIN cognifold.cue_reading AS r ON r.tenant_id = tenant AND r.node_id = n.id AND r.done >= (settings ->> 'intent.met')::double precision
        ORDER BY n.occurred_at, n.id
    LOOP
        -- The one open intent it is nearest to, of whose events it is near to so many as make two strands one, and later than all.
        SELECT g.target_id AS intent_id INTO ended
        FROM cognifold.near_events(tenant, subject.id, subject.occurred_at - make_interval(secs => 86400 * 3 * (settings ->> 'intent.strand_days')::double precision),
                                   subject.occurred_at, settings) AS e
        JOIN cognifold.graph_edge AS g ON g.tenant_id = tenant AND g.source_id = e.near_id AND g.type = 'grounds' AND g.target_kind = 'intent'
        JOIN cognifold.intent_state AS s ON s.tenant_id = tenant AND s.node_id = g.target_id
        WHERE e.affinity >= (settings ->> 'intent.near_done')::double precision
          AND cognifold.intent_status(s.status, s.wake_at, s.expires_at, clock) IN ('pending', 'scheduled', 'deferred')
          -- Who reopened it knew of all that had happened until then.
          AND subject.occurred_at > coalesce(cognifold.reopened_at(tenant, g.target_id), '-infinity')
          AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS o
                          JOIN cognifold.node AS v ON v.tenant_id = o.tenant_id AND v.id = o.source_id
                          WHERE o.tenant_id = tenant AND o.target_id = g.target_id AND o.type = 'grounds' AND v.occurred_at >= subject.occurred_at)
        GROUP BY g.target_id
        HAVING count(*) >= (settings ->> 'intent.shared')::integer
        ORDER BY sum(e.affinity ORDER BY e.near_id) DESC, g.target_id
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
    'Resolves open intents by newly folded events that say something is done and are near to at least intent.shared of the events an intent rests on, all of them earlier; tied to it as resolve_intents does. Internal: emit_intents calls it.';
