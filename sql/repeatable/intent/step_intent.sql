-- step_intent: takes an intent one step of its life further, or refuses.
CREATE OR REPLACE FUNCTION cognifold.step_intent(
    tenant text, intent_id uuid, to_status text, wake_at timestamptz, event_id uuid, plan_id uuid, clock timestamptz
) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    present text;
    number  integer;
BEGIN
    SELECT cognifold.intent_status(s.status, s.wake_at, s.expires_at, clock) INTO STRICT present
    FROM cognifold.intent_state AS s WHERE s.tenant_id = tenant AND s.node_id = step_intent.intent_id FOR UPDATE;
    IF NOT EXISTS (SELECT FROM cognifold.intent_step AS p WHERE p.from_status = present AND p.to_status = step_intent.to_status) THEN
        RAISE EXCEPTION 'illegal transition: intent % is %, it cannot become %', step_intent.intent_id, present, step_intent.to_status
            USING ERRCODE = 'CF022',
                  HINT = coalesce('From here it can become ' || (SELECT string_agg(p.to_status, ', ' ORDER BY p.to_status) FROM cognifold.intent_step AS p
                                                                 WHERE p.from_status = present) || '.', 'It takes no further step.');
    END IF;
    -- Reopened, it was found not done in spite of all that had happened: only what comes later can do it, or a person say so.
    IF step_intent.to_status = 'resolved' AND EXISTS (
        SELECT FROM cognifold.node AS n
        WHERE n.tenant_id = tenant AND n.id = step_intent.event_id AND n.occurred_at <= cognifold.reopened_at(tenant, step_intent.intent_id)
          AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS e
                          WHERE e.tenant_id = tenant AND e.source_id = n.id AND e.target_id = step_intent.intent_id AND e.type = 'user_feedback')) THEN
        RETURN;
    END IF;
    PERFORM cognifold.journal_changes(tenant, plan_id, cognifold.row_images(tenant, jsonb_build_array(jsonb_build_object(
        'relation', 'intent_state', 'node_id', step_intent.intent_id))));
    UPDATE cognifold.intent_state AS s
    SET status = step_intent.to_status, wake_at = step_intent.wake_at,
        closed_at = CASE WHEN step_intent.to_status IN ('resolved', 'rejected') THEN (
            SELECT n.occurred_at FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = step_intent.event_id) END,
        -- Reopened after its time it would be expired at once.
        expires_at = CASE WHEN step_intent.to_status = 'pending' AND s.expires_at <= clock
                          THEN clock + make_interval(secs => 3600 * cognifold.setting('intent.expiry', tenant)) ELSE s.expires_at END
    WHERE s.tenant_id = tenant AND s.node_id = step_intent.intent_id;
    INSERT INTO cognifold.intent_transition (tenant_id, node_id, position, from_status, to_status, at, wake_at, event_id, plan_id, recorded_at)
    SELECT tenant, step_intent.intent_id, coalesce(max(t.position), 0) + 1, present, step_intent.to_status, clock, step_intent.wake_at,
           step_intent.event_id, step_intent.plan_id, clock_timestamp()
    FROM cognifold.intent_transition AS t WHERE t.tenant_id = tenant AND t.node_id = step_intent.intent_id
    RETURNING position INTO number;
    PERFORM cognifold.journal_changes(tenant, plan_id, jsonb_build_array(jsonb_build_object(
        'relation', 'intent_transition', 'node_id', step_intent.intent_id, 'part', number::text, 'before', NULL)));
    -- What it held back (intent_hold) may be looked at again, and what it covered.
    IF step_intent.to_status IN ('resolved', 'rejected', 'deferred') THEN
        DELETE FROM cognifold.intent_hold AS h WHERE h.tenant_id = tenant AND h.held_by = step_intent.intent_id;
    END IF;
    INSERT INTO cognifold.intent_due (tenant_id, node_id, due_at)
    SELECT tenant, m.node_id, '-infinity'
    FROM cognifold.graph_edge AS e
    CROSS JOIN LATERAL cognifold.cluster_density(tenant, e.source_id, clock) AS d
    CROSS JOIN LATERAL unnest(d.members) AS m (node_id)
    WHERE e.tenant_id = tenant AND e.target_id = step_intent.intent_id AND e.type = 'triggers' AND e.source_kind = 'concept'
      AND step_intent.to_status IN ('resolved', 'rejected')
    UNION
    SELECT tenant, e.source_id, s.expires_at
    FROM cognifold.graph_edge AS e JOIN cognifold.intent_state AS s ON s.tenant_id = tenant AND s.node_id = step_intent.intent_id
    WHERE e.tenant_id = tenant AND e.target_id = step_intent.intent_id AND e.type = 'triggers' AND e.source_kind = 'concept'
      AND step_intent.to_status = 'pending' AND s.expires_at > clock
    ON CONFLICT DO NOTHING;
END
$$;
COMMENT ON FUNCTION cognifold.step_intent(text, uuid, text, timestamptz, uuid, uuid, timestamptz) IS
    'Moves an intent to another status if intent_step allows it (else CF022), writes the step into intent_transition and the plan''s journal, and has the concepts of a closed one looked at again, and those it held back. An event that had happened before the intent was reopened resolves it no more: then nothing is done. Internal.';
