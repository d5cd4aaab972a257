-- forget_nodes: forgets some nodes, with everything that was ever made of them, or says what that would come to.
--
--   forgetting_scope ─► statistics ─► nodes go ─► what stays is worded anew ─► blot_record ─► the tombstone
CREATE OR REPLACE FUNCTION cognifold.forget_nodes(
    tenant text, named uuid[], traces jsonb, criteria text[], forgotten_by text, dry_run boolean
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    scope     record;
    moment    timestamptz;    -- before it, nothing of what is forgotten was known
    plans     uuid[];         -- that said or changed something of it
    counts    jsonb;
    lost      jsonb;          -- events a concept loses
    beside    uuid[];         -- events whose statements are read anew
    changes   jsonb;          -- for those who settle ranks
    due       uuid[];         -- for the next pass
    dates     uuid[];         -- moments that events which go had named
    told      jsonb;          -- annotations and edges between others that those plans wrote: keys of the journal
    this_plan uuid;
    forget_id uuid;
    clock     CONSTANT timestamptz := clock_timestamp();
BEGIN
    SELECT s.* INTO scope FROM cognifold.forgetting_scope(tenant, named) AS s;
    scope.shaken := scope.shaken || ARRAY(SELECT r.id::uuid FROM jsonb_array_elements_text(traces -> 'reworded') AS r (id)
                                          WHERE r.id::uuid <> ALL (scope.gone || scope.shaken));
    scope.insights := scope.insights || ARRAY(SELECT r.id::uuid FROM jsonb_array_elements_text(traces -> 'insights') AS r (id)
                                              WHERE r.id::uuid <> ALL (scope.insights));
    moment := CASE WHEN traces <> '{}' THEN '-infinity'
                   ELSE (SELECT min(n.recorded_at) FROM unnest(scope.gone) AS g (id) JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = g.id) END;
    -- Annotations that nothing derives go: of what rested on them all, else those that such plans set. Edges lose what such plans noted.
    SELECT coalesce(jsonb_agg(jsonb_build_object('relation', j.relation, 'node_id', j.node_id, 'other_id', j.other_id, 'part', j.part)), '[]') INTO told
    FROM (SELECT j.relation, j.node_id, j.other_id, j.part FROM unnest(scope.telling) AS t (plan_id)
          JOIN cognifold.journal AS j ON j.tenant_id = tenant AND j.plan_id = t.plan_id AND j.relation IN ('annotation', 'graph_edge')
          WHERE j.relation = 'annotation' AND NOT (j.part = 'summary' AND j.node_id = ANY (scope.shaken))
             OR EXISTS (SELECT FROM cognifold.graph_edge AS e
                        WHERE e.tenant_id = tenant AND e.source_id = j.node_id AND e.target_id = j.other_id AND e.type = j.part AND e.metadata IS NOT NULL)
             OR EXISTS (SELECT FROM cognifold.journal AS h
                        WHERE h.tenant_id = tenant AND h.node_id = j.node_id AND h.relation = 'graph_edge' AND h.other_id = j.other_id AND h.part = j.part
                          AND h.before -> 'metadata' <> 'null')
          UNION
          SELECT j.relation, j.node_id, j.other_id, j.part FROM unnest(scope.shaken) AS s (id)
          JOIN cognifold.journal AS j ON j.tenant_id = tenant AND j.node_id = s.id AND j.relation = 'annotation' AND j.part <> 'summary'
          UNION
          SELECT t.relation, t.node_id, t.other_id, t.part
          FROM jsonb_to_recordset(traces -> 'told') AS t (relation text, node_id uuid, other_id uuid, part text)) AS j;
    SELECT coalesce(array_agg(p.plan_id), '{}') INTO plans
    FROM (SELECT a.plan_id FROM cognifold.plans_about(tenant, scope.gone || scope.insights || scope.shaken) AS a
          UNION
          SELECT j.plan_id FROM unnest(scope.answered) AS a (id) JOIN cognifold.journal AS j ON j.tenant_id = tenant AND j.node_id = a.id
          WHERE j.relation = 'intent_transition' AND (j.before ->> 'event_id')::uuid = ANY (scope.gone)
          UNION
          SELECT j.plan_id FROM jsonb_to_recordset(told) AS t (relation text, node_id uuid, other_id uuid, part text)
          JOIN cognifold.journal AS j ON j.tenant_id = tenant AND j.node_id = t.node_id AND j.relation = t.relation
               AND j.other_id IS NOT DISTINCT FROM t.other_id AND j.part = t.part
          UNION
          SELECT t.id::uuid FROM jsonb_array_elements_text(traces -> 'plans') AS t (id)) AS a
    JOIN cognifold.plan AS p ON p.tenant_id = tenant AND p.plan_id = a.plan_id AND p.applied_at > moment;
    SELECT jsonb_build_object(
               'events', count(*) FILTER (WHERE n.kind = 'event' AND k.goes), 'concepts', count(*) FILTER (WHERE n.kind = 'concept' AND k.goes),
               'intents', count(*) FILTER (WHERE n.kind = 'intent' AND k.goes), 'times', count(*) FILTER (WHERE n.kind = 'time' AND k.goes),
               'concepts_reworded', count(*) FILTER (WHERE n.kind = 'concept' AND NOT k.goes), 'intents_reworded', count(*) FILTER (WHERE n.kind = 'intent' AND NOT k.goes),
               'times_reworded', count(*) FILTER (WHERE n.kind = 'time' AND NOT k.goes))
    INTO counts
    FROM (SELECT unnest(scope.gone) AS id, true AS goes UNION ALL SELECT unnest(scope.shaken), false) AS k
    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = k.id;
    counts := counts || jsonb_build_object(
        'insights', cardinality(scope.insights), 'plans_blotted', cardinality(plans),
        'edges', (SELECT count(*) FROM (SELECT e.source_id, e.target_id, e.type FROM unnest(scope.gone) AS g (id)
                                        JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.source_id = g.id
                                        UNION
                                        SELECT e.source_id, e.target_id, e.type FROM unnest(scope.gone) AS g (id)
                                        JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.target_id = g.id) AS e));
    IF dry_run OR cardinality(scope.gone || scope.shaken || scope.insights || plans) = 0 THEN
        RETURN jsonb_build_object('forget_id', NULL, 'plan_id', NULL, 'dry_run', dry_run, 'counts', counts);
    END IF;

    -- 1. What they counted for, while they are there.
    SELECT coalesce(jsonb_object_agg(l.target_id, l.number), '{}') INTO lost
    FROM (SELECT e.target_id, count(DISTINCT e.source_id) AS number FROM unnest(scope.gone) AS g (id)
          JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.source_id = g.id AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred
               AND e.target_kind = 'concept'
          GROUP BY e.target_id) AS l;
    SELECT coalesce(jsonb_agg(jsonb_build_object('relation', 'graph_edge', 'node_id', e.source_id, 'other_id', e.target_id, 'part', e.type,
                                                 'before', jsonb_build_object('bidirectional', e.bidirectional))), '[]')
           || (SELECT jsonb_agg(jsonb_build_object('relation', 'node', 'node_id', g.id, 'before', '{}'::jsonb)) FROM unnest(scope.gone) AS g (id)),
           coalesce(array_agg(DISTINCT o.id), '{}'), coalesce(array_agg(DISTINCT e.source_id) FILTER (WHERE e.type = 'deadline_for'), '{}')
    INTO changes, due, dates
    FROM (SELECT e.* FROM unnest(scope.gone) AS g (id) JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.source_id = g.id
          UNION
          SELECT e.* FROM unnest(scope.gone) AS g (id) JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.target_id = g.id) AS e
    CROSS JOIN LATERAL (VALUES (CASE WHEN e.target_kind = 'concept' THEN e.source_id ELSE e.target_id END)) AS o (id);
    due := due || ARRAY(   -- who bore out a finding that goes may bear out another
        SELECT e.target_id FROM unnest(scope.insights) AS x (id)
        JOIN cognifold.insight_state AS i ON i.tenant_id = tenant AND i.insight_id = x.id
        CROSS JOIN LATERAL unnest(i.derived_from) AS d (id)
        JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.source_id = d.id AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred);
    beside := ARRAY(SELECT n.id FROM unnest(scope.gone) AS g (id) JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = g.id AND n.kind = 'event');
    PERFORM cognifold.uncount_events(tenant, beside);
    beside := cognifold.statements_beside(tenant, beside);

    -- 2. The tombstone, before the keys go: a plan without journal, so that whoever read the graph before knows that it has changed.
    this_plan := cognifold.new_id();
    forget_id := cognifold.new_id();
    PERFORM cognifold.record_plan(
        tenant, this_plan, jsonb_build_object('reasoning', 'forgotten', 'operations', jsonb_build_array(jsonb_build_object('op', 'FORGET', 'counts', counts))),
        'forget', NULL, jsonb_build_object('plan_id', this_plan, 'counts', counts, 'refs', '{}'::jsonb), '[]', cognifold.now());
    INSERT INTO cognifold.forgetting (tenant_id, forget_id, plan_id, forgotten_at, forgotten_by, criteria, counts)
    VALUES (tenant, forget_id, this_plan, clock, forgotten_by, criteria, counts);
    INSERT INTO cognifold.forgotten_key (tenant_id, key_hash, node_id, forget_id)
    SELECT tenant, cognifold.forgotten_hash(n.idempotency_key), n.id, forget_id
    FROM unnest(scope.gone) AS g (id) JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = g.id AND n.idempotency_key IS NOT NULL
    ON CONFLICT DO NOTHING;

    -- 3. They go, and what is theirs.
    DELETE FROM cognifold.insight_state AS i USING unnest(scope.insights) AS x (id) WHERE i.tenant_id = tenant AND i.insight_id = x.id;
    DELETE FROM cognifold.intent_hold AS h USING unnest(scope.shaken) AS s (id) WHERE h.tenant_id = tenant AND h.node_id = s.id;
    DELETE FROM cognifold.intent_hold AS h USING unnest(scope.shaken) AS s (id) WHERE h.tenant_id = tenant AND h.held_by = s.id;
    PERFORM cognifold.drop_faults(tenant, scope.gone);
    UPDATE cognifold.plan AS p SET trigger_event_id = NULL FROM unnest(scope.gone) AS g (id) WHERE p.tenant_id = tenant AND p.trigger_event_id = g.id;
    DELETE FROM cognifold.graph_edge AS e USING unnest(scope.gone) AS g (id) WHERE e.tenant_id = tenant AND e.source_id = g.id;
    DELETE FROM cognifold.graph_edge AS e USING unnest(scope.gone) AS g (id) WHERE e.tenant_id = tenant AND e.target_id = g.id;
    DELETE FROM cognifold.node AS n USING unnest(scope.gone) AS g (id) WHERE n.tenant_id = tenant AND n.id = g.id;
    PERFORM cognifold.reread_statements(tenant, beside);

    -- 4. What stays says what is left.
    DELETE FROM cognifold.annotation AS a USING jsonb_to_recordset(told) AS t (relation text, node_id uuid, part text)
    WHERE t.relation = 'annotation' AND a.tenant_id = tenant AND a.node_id = t.node_id AND a.name = t.part;
    UPDATE cognifold.graph_edge AS e
    SET metadata = CASE WHEN e.metadata ? 'recurrence' THEN jsonb_build_object('recurrence', e.metadata -> 'recurrence') END
    FROM jsonb_to_recordset(told) AS t (relation text, node_id uuid, other_id uuid, part text)
    WHERE t.relation = 'graph_edge' AND e.tenant_id = tenant AND e.source_id = t.node_id AND e.target_id = t.other_id AND e.type = t.part;
    PERFORM cognifold.reword_concepts(tenant, ARRAY(
        SELECT n.id FROM unnest(scope.shaken) AS s (id) JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = s.id AND n.kind = 'concept'), lost);
    PERFORM cognifold.reword_dates(tenant, scope.shaken, dates);
    PERFORM cognifold.reword_intents(tenant, ARRAY(
        SELECT n.id FROM unnest(scope.shaken) AS s (id) JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = s.id AND n.kind = 'intent'));
    PERFORM cognifold.blot_record(tenant, plans, scope.gone || scope.insights, scope.shaken, scope.answered, told, clock);
    PERFORM cognifold.blot_errors(tenant, scope.gone);
    IF to_regclass('cognifold.graph_projection') IS NOT NULL THEN   -- a graph in Apache AGE shows their words, too
        PERFORM cognifold.age_reword(tenant, scope.shaken);
    END IF;

    -- 5. Who has to look again.
    PERFORM cognifold.mark_ranks(tenant, changes);
    INSERT INTO cognifold.consolidation_dirty (tenant_id, kind, node_id)
    SELECT DISTINCT tenant, n.kind, n.id FROM unnest(due || scope.shaken) AS d (id)
    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = d.id AND n.kind IN ('event', 'concept') AND n.merged_into IS NULL
    WHERE n.kind = 'concept' OR EXISTS (SELECT FROM cognifold.folded_event AS f WHERE f.tenant_id = tenant AND f.event_id = n.id)
    ON CONFLICT DO NOTHING;
    INSERT INTO cognifold.intent_due (tenant_id, node_id, due_at)
    SELECT tenant, n.id, '-infinity' FROM unnest(scope.shaken) AS s (id)
    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = s.id AND n.kind = 'concept' AND n.merged_into IS NULL
    ON CONFLICT DO NOTHING;
    RETURN jsonb_build_object('forget_id', forget_id, 'plan_id', this_plan, 'dry_run', false, 'counts', counts);
END
$$;
COMMENT ON FUNCTION cognifold.forget_nodes(text, uuid[], jsonb, text[], text, boolean) IS
    'Forgets the named nodes, and what subject_traces found ({}: nothing); the caller has the tenant''s turn. Returns what forget returns. Internal: forget and forget_watched call it.';
