-- resolve_intents: closes a concept's open intents when later events say that what was wanted is done.
CREATE OR REPLACE FUNCTION cognifold.resolve_intents(tenant text, concept uuid, clock timestamptz, settings jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    ended   record;
    applied jsonb;
BEGIN
    FOR ended IN
        SELECT i.intent_id, c.completion, p.met
        FROM cognifold.concept_intents(tenant, ARRAY[concept], clock) AS i
        CROSS JOIN cognifold.intent_pressure(tenant, concept, '-infinity', clock, settings) AS p
        CROSS JOIN LATERAL (
            SELECT array_agg(g.source_id) AS events FROM cognifold.graph_edge AS g
            WHERE g.tenant_id = tenant AND g.target_id = i.intent_id AND g.type = 'grounds' AND g.source_kind = 'event'
        ) AS told
        CROSS JOIN LATERAL (
            SELECT v.event_id AS completion
            FROM cognifold.latest_evidence(tenant, concept, clock, settings) AS v
            JOIN cognifold.cue_reading AS r ON r.tenant_id = tenant AND r.node_id = v.event_id AND r.done >= (settings ->> 'intent.cue')::double precision
            WHERE v.occurred_at > i.last_evidence  -- what was done before is no answer to it
              -- A concept may hold more than one matter: what names another than the intent's is done of that one.
              AND coalesce(cognifold.said_done(tenant, v.event_id, told.events, settings), 1) >= (settings ->> 'intent.said_done')::double precision
            ORDER BY v.occurred_at DESC, v.event_id DESC
            LIMIT 1
        ) AS c
        WHERE i.status IN ('pending', 'scheduled', 'deferred')
          AND p.met >= (settings ->> 'intent.met')::double precision
        ORDER BY i.intent_id
    LOOP
        applied := cognifold.execute_plan(tenant, jsonb_build_object(
            'trigger_event_id', ended.completion, 'reasoning', 'what the intent asked for has been done',
            'operations', jsonb_build_array(jsonb_build_object(
                'op', 'ADD_EDGE', 'source', ended.completion, 'target', ended.intent_id, 'type', 'related_to', 'weight', 0.9,
                'metadata', jsonb_build_object('role', 'resolution'), 'grounded_in', jsonb_build_array(ended.completion),
                'reasoning', format('%s %% of what was voiced is met', round(100 * ended.met::numeric))))), 'intent');
        PERFORM cognifold.step_intent(tenant, ended.intent_id, 'resolved', NULL, ended.completion, (applied ->> 'plan_id')::uuid, clock);
    END LOOP;
END
$$;
COMMENT ON FUNCTION cognifold.resolve_intents(text, uuid, timestamptz, jsonb) IS
    'Resolves a concept''s open intents when events later than their evidence say that the share intent.met of what its live events voiced is done, and one of them says it of the intent''s own events (said_done of intent.said_done) or of nothing in particular; the last such event is tied to the intent (related_to, role resolution). Internal.';
