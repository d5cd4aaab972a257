-- emit_strands: lets the strands of events surface: of those folded since the last time, and of those whose deadline draws near.
CREATE OR REPLACE FUNCTION cognifold.emit_strands(tenant text, clock timestamptz, settings jsonb)
RETURNS TABLE (
    intent_id uuid, title text, category text, density double precision, theta double precision, reason text, deadline timestamptz,
    evidence uuid[], pressure double precision, readiness double precision
)
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    approach CONSTANT interval := make_interval(secs => 86400 * (settings ->> 'intent.approach')::double precision);
    back     CONSTANT interval := make_interval(secs => 86400 * (settings ->> 'intent.strand_days')::double precision);
    notice   CONSTANT interval := make_interval(secs => 3600 * (settings ->> 'intent.notice')::double precision);
    subject  record;
    members  uuid[];
    nearness double precision[];
    concepts uuid[];
    stands   record;
    words    record;
    plan     jsonb;
BEGIN
    FOR subject IN
        -- What is near its deadline comes before what has none, and older before newer: the same intents in whatever portions events came.
        SELECT q.node_id, n.occurred_at, d.moment, d.time_id
        FROM (SELECT DISTINCT q.node_id FROM cognifold.intent_due AS q WHERE q.tenant_id = tenant AND q.due_at <= clock) AS q
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = q.node_id AND n.kind = 'event'
        CROSS JOIN LATERAL (
            SELECT t.occurred_at AS moment, t.id AS time_id
            FROM cognifold.graph_edge AS e
            JOIN cognifold.node AS t ON t.tenant_id = e.tenant_id AND t.id = e.source_id
            WHERE e.tenant_id = tenant AND e.target_id = n.id AND e.type = 'deadline_for' AND t.occurred_at > clock
              AND n.occurred_at BETWEEN t.occurred_at - make_interval(secs => 86400 * (settings ->> 'intent.horizon')::double precision) AND t.occurred_at - approach
            UNION ALL   -- who names a deadline has till then, and is looked at when it draws near
            SELECT NULL, NULL
            WHERE n.occurred_at > clock - back
              AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS e
                              JOIN cognifold.node AS t ON t.tenant_id = e.tenant_id AND t.id = e.source_id
                              WHERE e.tenant_id = tenant AND e.target_id = n.id AND e.type = 'deadline_for' AND n.occurred_at <= t.occurred_at - approach
                                AND t.occurred_at > clock)
        ) AS d
        ORDER BY d.moment, n.occurred_at, n.id
    LOOP
        IF subject.moment IS NOT NULL THEN
            -- It is looked at when its deadline draws near, and from then on every day: others may still come back to it.
            INSERT INTO cognifold.intent_due (tenant_id, node_id, due_at)
            SELECT tenant, subject.node_id, l.due_at
            FROM (SELECT CASE WHEN clock < subject.moment - approach THEN subject.moment - approach ELSE clock + notice END AS due_at) AS l
            WHERE l.due_at < subject.moment
            ON CONFLICT DO NOTHING;
            CONTINUE WHEN clock < subject.moment - approach;
        END IF;
        SELECT array_agg(s.member_id ORDER BY s.occurred_at, s.member_id), array_agg(s.affinity ORDER BY s.occurred_at, s.member_id) INTO members, nearness
        FROM cognifold.strand(tenant, subject.node_id, subject.moment IS NOT NULL, clock, settings) AS s;
        CONTINUE WHEN members IS NULL;

        -- What an intent rests on already makes no second one, be it open or closed. Only a deadline is news to one that has none.
        CONTINUE WHEN EXISTS (
            SELECT FROM cognifold.graph_edge AS g
            WHERE g.tenant_id = tenant AND g.source_id = ANY (members) AND g.type = 'grounds' AND g.target_kind = 'intent'
              AND (subject.moment IS NULL
                   OR EXISTS (SELECT FROM cognifold.intent_state AS s WHERE s.tenant_id = tenant AND s.node_id = g.target_id AND s.deadline IS NOT NULL))
            GROUP BY g.target_id
            HAVING count(*) >= CASE WHEN subject.moment IS NULL THEN settings ->> 'intent.shared_told' ELSE settings ->> 'intent.shared' END::integer);
        -- It is of the concepts that hold two of its events, the one looked at or most of them first.
        concepts := ARRAY(
            SELECT h.target_id FROM (
                SELECT e.target_id, count(*) AS events, bool_or(e.source_id = subject.node_id) AS own
                FROM cognifold.graph_edge AS e
                JOIN cognifold.node AS c ON c.tenant_id = e.tenant_id AND c.id = e.target_id AND c.merged_into IS NULL
                WHERE e.tenant_id = tenant AND e.source_id = ANY (members) AND e.target_kind = 'concept' AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred
                GROUP BY e.target_id
            ) AS h
            WHERE h.events >= 2 OR h.own
            ORDER BY h.events DESC, h.own DESC, h.target_id);
        SELECT s.*, c.category, cognifold.category_theta(tenant, c.category, clock) AS theta INTO stands
        FROM cognifold.strand_standing(tenant, members, nearness, subject.node_id, subject.moment, clock, settings) AS s
        CROSS JOIN LATERAL (SELECT cognifold.concept_category(tenant, concepts[1], members, settings) AS category) AS c;
        PERFORM cognifold.note_assessment(tenant, subject.node_id, clock, stands.density, stands.pressure, stands.readiness, stands.cues, stands.met,
                                          stands.category, stands.theta);
        CONTINUE WHEN stands.readiness < stands.theta;
        CONTINUE WHEN cognifold.hold_back(tenant, subject.node_id, concepts, members, stands.readiness, stands.category, subject.moment, clock, settings);

        SELECT w.* INTO words
        FROM cognifold.strand_words(tenant, members, subject.node_id, subject.moment, stands.density, stands.pressure, stands.readiness,
                                    stands.category, stands.theta, settings) AS w;
        plan := jsonb_build_object(
            'trigger_event_id', members[cardinality(members)], 'reasoning', words.numbers,
            'operations', jsonb_build_array(jsonb_build_object(
                'op', 'ADD_NODE', 'kind', 'intent', 'ref', 'intent', 'title', words.title, 'content', words.reason, 'reasoning', words.numbers,
                'grounded_in', to_jsonb(concepts || members),
                'occurred_at', cognifold.plan_time(clock)))
            || CASE WHEN cardinality(concepts) > 0 THEN '[]'::jsonb ELSE jsonb_build_array(jsonb_build_object(
                'op', 'ADD_EDGE', 'source', subject.node_id, 'target', 'intent', 'type', 'triggers', 'grounded_in', jsonb_build_array(subject.node_id),
                'reasoning', 'the event whose strand it is; no concept holds it')) END
            || CASE WHEN subject.time_id IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(jsonb_build_object(
                'op', 'ADD_EDGE', 'source', subject.time_id, 'target', 'intent', 'type', 'deadline_for',
                'reasoning', 'the deadline its strand is about')) END);
        intent_id := cognifold.make_intent(tenant, plan, stands.category, stands.density, stands.pressure, stands.readiness, stands.theta,
                                           subject.moment, settings);
        title := words.title;
        category := stands.category;
        density := stands.density;
        theta := stands.theta;
        reason := words.reason;
        deadline := subject.moment;
        evidence := members;
        pressure := stands.pressure;
        readiness := stands.readiness;
        RETURN NEXT;
    END LOOP;
END
$$;
COMMENT ON FUNCTION cognifold.emit_strands(text, timestamptz, jsonb) IS
    'Turns strands that reach theta of their category into intents and returns them: of events folded since the last look and not older than intent.strand_days, and of events whose deadline is at most intent.approach ahead. Internal: emit_intents calls it.';
