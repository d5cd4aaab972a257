-- reword_dates: moments that a forgotten event named are called by their date, and are the deadline of no intent that had it from there.
CREATE OR REPLACE FUNCTION cognifold.reword_dates(tenant text, shaken uuid[], dates uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    unsaid jsonb;   -- {"time", "intent", "moment"}: deadlines of intents that no event names any more
    moment record;
BEGIN
    SELECT coalesce(jsonb_agg(jsonb_build_object('time', n.id, 'intent', e.target_id, 'moment', n.occurred_at)), '[]') INTO unsaid
    FROM unnest(dates) AS d (id)
    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = d.id AND n.kind = 'time'
    JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.source_id = n.id AND e.type = 'deadline_for' AND e.target_kind = 'intent'
    WHERE e.target_id = ANY (shaken)
      AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS o
                      WHERE o.tenant_id = tenant AND o.source_id = n.id AND o.type = 'deadline_for' AND o.target_kind = 'event');
    DELETE FROM cognifold.graph_edge AS e USING jsonb_to_recordset(unsaid) AS u ("time" uuid, intent uuid)
    WHERE e.tenant_id = tenant AND e.source_id = u."time" AND e.target_id = u.intent AND e.type = 'deadline_for';
    UPDATE cognifold.intent_state AS s SET deadline = NULL, expires_at = NULL
    FROM jsonb_to_recordset(unsaid) AS u (intent uuid) WHERE s.tenant_id = tenant AND s.node_id = u.intent;
    PERFORM cognifold.mark_ranks(tenant, coalesce((
        SELECT jsonb_agg(jsonb_build_object('relation', 'graph_edge', 'node_id', u."time", 'other_id', u.intent, 'part', 'deadline_for', 'before', '{}'::jsonb))
        FROM jsonb_to_recordset(unsaid) AS u ("time" uuid, intent uuid)), '[]'));

    FOR moment IN
        SELECT n.id, to_char(n.occurred_at AT TIME ZONE t.time_zone,   -- as the planner calls it
                             CASE n.occurred_precision WHEN 'instant' THEN 'FMDD FMMonth YYYY HH24:MI' WHEN 'day' THEN 'FMDD FMMonth YYYY'
                                                       WHEN 'month' THEN 'FMMonth YYYY' ELSE 'YYYY' END) AS title
        FROM unnest(shaken) AS s (id)
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = s.id AND n.kind = 'time'
        JOIN cognifold.tenant AS t ON t.tenant_id = tenant
    LOOP
        UPDATE cognifold.node AS n SET title = moment.title, reasoning = NULL WHERE n.tenant_id = tenant AND n.id = moment.id;
        UPDATE cognifold.node_content AS c SET content = moment.title, payload = NULL, media = NULL WHERE c.tenant_id = tenant AND c.node_id = moment.id;
        DELETE FROM cognifold.lexical_document AS d WHERE d.tenant_id = tenant AND d.node_id = moment.id;
        PERFORM cognifold.index_node(tenant, moment.id);
    END LOOP;
END
$$;
COMMENT ON FUNCTION cognifold.reword_dates(text, uuid[], uuid[]) IS
    'shaken: nodes that stay, of which the moments get their date as title and content; dates: moments that events which are gone had named. An intent among shaken whose deadline no event names any more has none. Internal: forget_nodes calls it.';
