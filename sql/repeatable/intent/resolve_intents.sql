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
        SELECT i.intent_id, p.completion, p.met
        FROM cognifold.concept_intents(tenant, ARRAY[concept], clock) AS i
        CROSS JOIN cognifold.intent_pressure(tenant, concept, '-infinity', clock, settings) AS p
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = p.completion
        WHERE i.status IN ('pending', 'scheduled', 'deferred')
          AND n.occurred_at > i.last_evidence  -- what was done before is no answer to it
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
    'Resolves a concept''s open intents when events later than their evidence say that the share intent.met of what its live events voiced is done; the last of those events is tied to the intent (related_to, role resolution). Internal.';
