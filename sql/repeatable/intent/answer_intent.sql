-- answer_intent: what a person says to an intent: remembered as an event, tied to the intent, and heeded next time.
CREATE OR REPLACE FUNCTION cognifold.answer_intent(
    intent_id uuid, answer text, note text DEFAULT NULL, wake_at timestamptz DEFAULT NULL,
    tenant text DEFAULT cognifold.required_tenant()
) RETURNS uuid
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous  text := cognifold.enter_tenant(tenant);
    settings  jsonb := cognifold.settings(tenant);
    clock     timestamptz := cognifold.now();
    to_status text := CASE answer WHEN 'accept' THEN 'scheduled' WHEN 'modify' THEN 'scheduled' WHEN 'defer' THEN 'deferred'
                                  WHEN 'reject' THEN 'rejected' WHEN 'resolve' THEN 'resolved' WHEN 'reopen' THEN 'pending' END;
    subject   record;
    rival     uuid;  -- an open intent of the same concept
    event_id  uuid;
    plan_id   uuid;
    bar       double precision;
BEGIN
    IF to_status IS NULL THEN
        RAISE EXCEPTION 'answer_intent: % is no answer', coalesce(quote_literal(answer), 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Answer accept, modify, defer, reject, resolve or reopen.';
    END IF;
    PERFORM cognifold.take_turn(tenant);
    SELECT s.node_id, s.category, n.title INTO subject
    FROM cognifold.intent_state AS s JOIN cognifold.node AS n ON n.tenant_id = s.tenant_id AND n.id = s.node_id
    WHERE s.tenant_id = tenant AND s.node_id = answer_intent.intent_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'node % is no intent of tenant "%"', coalesce(answer_intent.intent_id::text, 'NULL'), tenant
            USING ERRCODE = 'CF021', HINT = 'SELECT id, title, status FROM cognifold.intent lists them.';
    END IF;
    IF to_status = 'deferred' THEN
        wake_at := coalesce(wake_at, clock + make_interval(secs => 3600 * (settings ->> 'intent.defer')::double precision));
        IF NOT (isfinite(wake_at) AND wake_at > clock) THEN
            RAISE EXCEPTION 'answer_intent: wake_at = % is not after %', wake_at, clock
                USING ERRCODE = 'CF010', HINT = 'Say when it is to return, or leave wake_at out.';
        END IF;
    ELSIF wake_at IS NOT NULL THEN
        RAISE EXCEPTION 'answer_intent: wake_at goes with defer, not with %', answer
            USING ERRCODE = 'CF010', HINT = 'Leave wake_at out, or answer defer.';
    END IF;

    IF answer = 'reopen' THEN
        SELECT i.intent_id INTO rival
        FROM cognifold.graph_edge AS e
        CROSS JOIN LATERAL cognifold.concept_intents(tenant, ARRAY[e.source_id], clock) AS i
        WHERE e.tenant_id = tenant AND e.target_id = answer_intent.intent_id AND e.type = 'triggers' AND e.source_kind = 'concept'
          AND i.intent_id <> answer_intent.intent_id AND i.status IN ('pending', 'scheduled', 'deferred')
        ORDER BY i.intent_id LIMIT 1;
        IF FOUND THEN
            RAISE EXCEPTION 'intent % cannot be reopened: intent % of the same concept is open', answer_intent.intent_id, rival
                USING ERRCODE = 'CF035', HINT = 'Answer that one, or close it first.';
        END IF;
    END IF;

    event_id := cognifold.remember(
        content => coalesce(NULLIF(btrim(note), ''), CASE answer WHEN 'reopen' THEN 'Reopened' ELSE initcap(to_status) END || '.'),
        title => CASE answer WHEN 'accept' THEN 'Accepted' WHEN 'modify' THEN 'Accepted with changes' WHEN 'defer' THEN 'Deferred'
                             WHEN 'reject' THEN 'Rejected' WHEN 'reopen' THEN 'Reopened' ELSE 'Resolved' END,
        occurred_at => clock, source => 'cognifold', tenant => tenant,
        payload => jsonb_strip_nulls(jsonb_build_object('intent', answer_intent.intent_id, 'answer', answer, 'wake_at', wake_at)),
        -- Each answer is an event of its own, also two alike at one moment, and one given again after the first was undone.
        idempotency_key => format('answer:%s:%s', answer_intent.intent_id, cognifold.new_id()));
    plan_id := (cognifold.execute_plan(
        tenant,
        jsonb_build_object('trigger_event_id', event_id, 'reasoning', format('a person answered: %s', answer),
                           'operations', jsonb_build_array(jsonb_build_object(
                               'op', 'ADD_EDGE', 'source', event_id, 'target', answer_intent.intent_id, 'type', 'user_feedback',
                               'grounded_in', jsonb_build_array(event_id), 'reasoning', answer))),
        'intent',
        -- By default the answer's plan is its fold: an answer speaks about the memory, and is no evidence for what it is about.
        CASE WHEN (settings ->> 'intent.fold_answers')::integer = 0 THEN ARRAY[event_id] ELSE '{}' END) ->> 'plan_id')::uuid;
    PERFORM cognifold.step_intent(tenant, answer_intent.intent_id, to_status, wake_at, event_id, plan_id, clock);

    -- What was wrongly closed says nothing about whether the intent was welcome.
    IF answer NOT IN ('resolve', 'reopen') THEN
        INSERT INTO cognifold.intent_feedback (tenant_id, category, at, event_id, node_id, answer, w, plan_id)
        VALUES (tenant, subject.category, clock, event_id, answer_intent.intent_id, answer,
                (settings ->> 'intent.memory')::double precision * cognifold.category_weight(tenant, subject.category, clock)
                + (1 - (settings ->> 'intent.memory')::double precision) * (settings ->> ('intent.answer_' || answer))::double precision,
                plan_id);
        PERFORM cognifold.journal_changes(tenant, plan_id, jsonb_build_array(jsonb_build_object(
            'relation', 'intent_feedback', 'node_id', answer_intent.intent_id, 'other_id', event_id, 'part', subject.category, 'before', NULL)));
        -- Where the bar came down, others of the category may reach it now.
        bar := cognifold.category_theta(tenant, subject.category, clock);
        INSERT INTO cognifold.intent_due (tenant_id, node_id, due_at)
        SELECT tenant, a.node_id, '-infinity' FROM cognifold.intent_assessment AS a
        WHERE a.tenant_id = tenant AND a.category = subject.category AND a.readiness >= bar AND a.readiness < a.theta
        ON CONFLICT DO NOTHING;
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN event_id;
END
$$;
COMMENT ON FUNCTION cognifold.answer_intent(uuid, text, text, timestamptz, text) IS
    'Records a person''s answer to an intent and returns the event it became (source "cognifold", with a user_feedback edge): accept or modify (it becomes scheduled), defer (deferred until wake_at, by default intent.defer hours from now, then pending again by itself), reject, resolve, reopen (a resolved, rejected or expired one is pending again; what closed it, and all else until then, resolves it no more; one that had expired gets intent.expiry hours). Each but resolve and reopen moves the category''s threshold (see theta). note, in the person''s words, is the event''s content. Raises CF021 for what is no intent, CF010 for an answer that is none, CF022 for an illegal transition: a closed or expired intent takes no answer but reopen; CF035 for a reopening where another intent of the same concept is open. The event is not folded into concepts unless the setting intent.fold_answers is 1.';
