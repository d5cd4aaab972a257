-- emit_intents: lets what is wanted surface: looks at the concepts whose evidence, links or deadlines have changed since the
-- last time, turns those that reach their bar into intents, and closes the intents whose need has been met.
CREATE OR REPLACE FUNCTION cognifold.emit_intents(
    as_of timestamptz DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (
    intent_id uuid, title text, category text, density double precision, theta double precision, reason text, deadline timestamptz,
    evidence uuid[], pressure double precision, readiness double precision
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 5
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous   text := cognifold.enter_tenant(tenant);
    settings   jsonb := cognifold.settings(tenant);
    clock      timestamptz := cognifold.checked_moment('emit_intents', as_of);
    share      double precision := (settings ->> 'intent.cue_share')::double precision;
    candidates jsonb := '[]';
    subject    uuid;
    cluster    record;
    needs      record;
    covered    boolean;  -- an open intent is there, of the concept or of a neighbour
    words      record;
    plan       jsonb;
    wanted     record;
BEGIN
    PERFORM cognifold.take_turn(tenant);

    -- 1. Has what an open intent asked for been done? Then it is closed, by the event that says so.
    FOR subject IN SELECT c.node_id FROM cognifold.due_clusters(tenant, clock) AS c ORDER BY c.node_id LOOP
        PERFORM cognifold.read_cues(tenant, subject, clock, settings);
        PERFORM cognifold.resolve_intents(tenant, subject, clock, settings);
    END LOOP;

    PERFORM cognifold.resolve_strands(tenant, clock, settings);

    -- 2. How does each concept stand? (Closing an intent has made more of them due.)
    FOR subject IN SELECT c.node_id FROM cognifold.due_clusters(tenant, clock) AS c ORDER BY c.node_id LOOP
        PERFORM cognifold.read_cues(tenant, subject, clock, settings);
        SELECT d.* INTO cluster FROM cognifold.cluster_density(tenant, subject, clock) AS d;
        SELECT coalesce(bool_or(i.status IN ('pending', 'scheduled', 'deferred')), false) INTO covered
        FROM cognifold.concept_intents(tenant, cluster.members, clock) AS i;
        SELECT p.*, c.category, cognifold.category_theta(tenant, c.category, clock) AS theta,
               power(cluster.density, 1 - share) * power(p.pressure, share) AS readiness
        INTO needs
        FROM cognifold.intent_pressure(
                 tenant, subject,
                 -- What was voiced before an intent closed was answered by it.
                 coalesce((SELECT max(i.closed_at) FROM cognifold.concept_intents(tenant, ARRAY[subject], clock) AS i), '-infinity'),
                 clock, settings) AS p
        CROSS JOIN LATERAL (
            SELECT cognifold.concept_category(tenant, subject, ARRAY(SELECT (v.value ->> 'event')::uuid FROM jsonb_array_elements(p.voiced) AS v), settings) AS category
        ) AS c;

        PERFORM cognifold.note_assessment(tenant, subject, clock, cluster.density, needs.pressure, needs.readiness, needs.cues, needs.met,
                                          needs.category, needs.theta);
        -- It is looked at again when a deadline draws near, and when evidence dated ahead comes to pass.
        INSERT INTO cognifold.intent_due (tenant_id, node_id, due_at)
        SELECT tenant, subject, l.due_at
        FROM (
            SELECT needs.deadline - make_interval(secs => 3600 * (settings ->> 'intent.notice')::double precision) AS due_at
            UNION
            SELECT min(e.stamped_at) FROM cognifold.graph_edge AS e
            WHERE e.tenant_id = tenant AND e.target_id = subject AND e.target_kind = 'concept' AND e.type IN ('grounds', 'reinforces')
              AND NOT e.inferred AND e.stamped_at > clock
        ) AS l
        WHERE l.due_at > clock
        ON CONFLICT DO NOTHING;
        IF needs.readiness >= needs.theta AND needs.cues >= (settings ->> 'intent.cues')::integer AND NOT covered
           AND (SELECT min((v.value ->> 'occurred_at')::timestamptz) <= max((v.value ->> 'occurred_at')::timestamptz)
                       - make_interval(secs => 3600 * (settings ->> 'intent.span')::double precision)
                FROM jsonb_array_elements(needs.voiced) AS v WHERE (v.value ->> 'left')::double precision >= (settings ->> 'intent.cue')::double precision)
           AND (SELECT s.event_count FROM cognifold.concept_state AS s WHERE s.tenant_id = tenant AND s.node_id = subject)
               >= (settings ->> 'intent.events')::integer
        THEN
            candidates := candidates || jsonb_build_object('concept', subject, 'readiness', needs.readiness);
        END IF;
    END LOOP;
    -- 3. The readiest first: an intent covers its neighbours, too.
    FOR wanted IN
        SELECT (c.value ->> 'concept')::uuid AS concept, n.occurred_at
        FROM jsonb_array_elements(candidates) AS c
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = (c.value ->> 'concept')::uuid
        ORDER BY (c.value ->> 'readiness')::double precision DESC, n.occurred_at, n.id
    LOOP
        subject := wanted.concept;
        SELECT d.* INTO cluster FROM cognifold.cluster_density(tenant, subject, clock) AS d;
        CONTINUE WHEN EXISTS (SELECT FROM cognifold.concept_intents(tenant, cluster.members, clock) AS i
                              WHERE i.status IN ('pending', 'scheduled', 'deferred'));
        SELECT p.*, a.category, a.theta, a.readiness INTO needs
        FROM cognifold.intent_assessment AS a
        CROSS JOIN LATERAL cognifold.intent_pressure(
            tenant, subject, coalesce((SELECT max(i.closed_at) FROM cognifold.concept_intents(tenant, ARRAY[subject], clock) AS i), '-infinity'),
            clock, settings) AS p
        WHERE a.tenant_id = tenant AND a.node_id = subject;
        SELECT w.* INTO words
        FROM cognifold.intent_words(tenant, subject, needs.voiced, needs.deadline, cluster.density, needs.pressure, needs.readiness,
                                    needs.category, needs.theta, settings) AS w;
        -- It is grounded in what voices the need.
        SELECT array_agg((v.value ->> 'event')::uuid ORDER BY v.value ->> 'occurred_at', v.value ->> 'event'),
               jsonb_build_object(
                   'trigger_event_id', (array_agg(v.value ->> 'event' ORDER BY (v.value ->> 'occurred_at')::timestamptz DESC, v.value ->> 'event'))[1],
                   'reasoning', words.numbers,
                   'operations', jsonb_build_array(jsonb_build_object(
                       'op', 'ADD_NODE', 'kind', 'intent', 'ref', 'intent', 'title', words.title, 'content', words.reason, 'reasoning', words.numbers,
                       'grounded_in', to_jsonb(ARRAY[subject]) || jsonb_agg(v.value -> 'event' ORDER BY v.ordinality),
                       'occurred_at', cognifold.plan_time(clock)))
                   || CASE WHEN needs.deadline_node IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(jsonb_build_object(
                       'op', 'ADD_EDGE', 'source', needs.deadline_node, 'target', 'intent', 'type', 'deadline_for',
                       'reasoning', 'a deadline its evidence names')) END)
        INTO evidence, plan
        FROM jsonb_array_elements(needs.voiced) WITH ORDINALITY AS v (value, ordinality)
        WHERE (v.value ->> 'left')::double precision >= (settings ->> 'intent.cue')::double precision;

        -- Suppression: an impulse waits while a stronger goal of the same matter is active.
        CONTINUE WHEN cognifold.hold_back(tenant, subject, cluster.members, evidence, needs.readiness, needs.category, needs.deadline, clock, settings);

        intent_id := cognifold.make_intent(tenant, plan, needs.category, cluster.density, needs.pressure, needs.readiness, needs.theta,
                                           needs.deadline, settings);
        -- When it expires, its concepts may want something again.
        INSERT INTO cognifold.intent_due (tenant_id, node_id, due_at)
        SELECT tenant, subject, s.expires_at FROM cognifold.intent_state AS s
        WHERE s.tenant_id = tenant AND s.node_id = intent_id AND s.expires_at > clock
        ON CONFLICT DO NOTHING;
        title := words.title;
        category := needs.category;
        density := cluster.density;
        theta := needs.theta;
        reason := words.reason;
        deadline := needs.deadline;
        pressure := needs.pressure;
        readiness := needs.readiness;
        RETURN NEXT;
    END LOOP;

    -- 4. What is told across concepts.
    RETURN QUERY SELECT s.* FROM cognifold.emit_strands(tenant, clock, settings) AS s;
    -- Who asks about the past has not seen the present.
    DELETE FROM cognifold.intent_due AS q WHERE q.tenant_id = tenant AND q.due_at <= clock AND clock >= cognifold.now();
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.emit_intents(timestamptz, text) IS
    'Turns what is wanted into intents, and closes those that have been met; returns the new ones. Looks only at concepts (and their neighbours) whose evidence, links or deadlines have changed since the last call. A concept becomes an intent when readiness = density^(1 - a) * pressure^a reaches theta of its category (a = intent.cue_share), at least intent.events events are stated evidence for it, at least intent.cues of its live events voice something unmet, intent.span hours or more apart, and no open intent covers it or a neighbour. pressure = 1 - exp(-U / intent.pressure_scale), where U sums mass * need over its live events: need is 1 - product(1 - weight) over the cues of intent_cue and of a deadline nothing has met, which presses more the nearer it is; a later event that says it is done takes its share off. So a habit, of which nothing is wanted, has pressure 0 and never becomes an intent, however dense it is. Strands of events surface, too: of those folded since the last call, and of those that name a deadline which is at most intent.approach days ahead (see strand and strand_standing). Called again at the same moment it returns nothing.';
