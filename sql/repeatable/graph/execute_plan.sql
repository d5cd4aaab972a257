-- execute_plan: the one way the graph changes. Checks a plan, applies it whole or not at all, and journals what was there.
--
--   plan_problem ─► remove_rows ─► place_nodes ─► add_nodes, update_nodes ─► place_edges ─► wake_concepts, add_edges,
--   add_evidence ─► note_insights, note_actions ─► merge_nodes, fade_edges ─► record_plan
--
-- Each step works on all operations of its kind at once and returns what it changed as journal entries.
CREATE OR REPLACE FUNCTION cognifold.execute_plan(
    tenant text, plan jsonb, proposer text, folded_events uuid[] DEFAULT '{}', settings jsonb DEFAULT NULL
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
-- Each statement is planned once, on whatever the memory holds then, and looks a few rows up by their keys: a plan made
-- for an empty memory must still be right for a full one.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    operations     jsonb := plan -> 'operations';
    problem        text;
    clock          timestamptz := cognifold.now();
    this_plan      uuid := CASE WHEN cognifold.is_uuid(plan ->> 'plan_id') THEN (plan ->> 'plan_id')::uuid ELSE cognifold.new_id() END;
    trigger_time   timestamptz;
    -- Edges and titles that the SQL planner found within this fold (which hands its settings on), among what is indexed: it has just
    -- read all that they name, and the keys of the tables refuse what no plan may do. Any other plan is looked at as a whole.
    is_linking     boolean := settings IS NOT NULL AND proposer = 'sql' AND NOT operations @? '$[*].op ? (@ != "ADD_EDGE" && @ != "UPDATE_NODE")';
    earlier        record;
    removed        jsonb := '[]';
    new_nodes      jsonb := '[]';  -- one object an ADD_NODE (place_nodes)
    updated        jsonb := '[]';
    wanted_edges   jsonb;  -- one object an edge to add or reinforce (place_edges)
    fresh_evidence jsonb;  -- {concept, event} pairs that were not evidence before
    waking         uuid[];  -- concepts that wake if they are dormant
    merge          jsonb;
    merged         jsonb := '[]';  -- {survivor, absorbed}, one a MERGE_NODES
    faded          jsonb := '[]';
    insights       jsonb := '[]';  -- of what was stated or closed, the rows as they were
    unfounded      uuid;
    changes        jsonb := '[]';  -- journal entries, in the order made
    folded         uuid;
    refs           jsonb;
    result         jsonb;
BEGIN
    IF settings IS NULL THEN   -- whoever has read them has the turn already
        PERFORM cognifold.take_turn(tenant);
    END IF;

    IF plan ->> 'plan_id' IS NOT NULL THEN
        SELECT p.operations, p.result, p.status, p.forgotten_at INTO earlier FROM cognifold.plan AS p WHERE p.tenant_id = tenant AND p.plan_id = this_plan;
        IF FOUND AND earlier.forgotten_at IS NOT NULL THEN
            RAISE EXCEPTION 'plan % was applied, and part of it is forgotten since', this_plan
                USING ERRCODE = 'CF048', HINT = 'Nothing was changed. What is forgotten does not come back by its plan.';
        ELSIF FOUND AND earlier.operations = operations AND earlier.status = 'undone' THEN
            RAISE EXCEPTION 'plan % was applied, and is undone', this_plan
                USING ERRCODE = 'CF023', DETAIL = '[]', HINT = 'To have it back, undo the plan that plan(plan_id) names as undone_by; or apply it under another id.';
        ELSIF FOUND AND earlier.operations = operations THEN
            RETURN earlier.result;
        ELSIF FOUND THEN
            RAISE EXCEPTION 'plan_id % was used for another plan', this_plan
                USING ERRCODE = 'CF020', HINT = 'Give each plan an id of its own, or none.';
        END IF;
    END IF;

    IF NOT is_linking THEN
        problem := cognifold.plan_problem(tenant, plan, proposer);
    END IF;
    problem := coalesce(
        problem,
        (SELECT format('event %s is folded already, by plan %s', f.event_id, f.plan_id)
         FROM cognifold.folded_event AS f WHERE f.tenant_id = tenant AND f.event_id = ANY (folded_events) ORDER BY f.event_id LIMIT 1));
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION 'plan rejected: %', problem
            USING ERRCODE = 'CF020', HINT = 'Nothing was changed. Correct that operation and apply the plan again.';
    END IF;
    settings := coalesce(settings, cognifold.settings(tenant));
    IF proposer IN ('consolidate', 'intent') THEN
        clock := coalesce((plan ->> 'as_of')::timestamptz, clock);  -- a pass decides as of a moment, and its plans are of that moment
    END IF;
    SELECT n.occurred_at INTO trigger_time
    FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = (plan ->> 'trigger_event_id')::uuid;

    -- Evidence counts by its vector and its words: what waits to be folded, and so to be indexed, is indexed now, as is what
    -- the plan is the fold of.
    IF NOT is_linking THEN
        PERFORM cognifold.index_node(tenant, n.id, settings)
        FROM (
            SELECT DISTINCT CASE WHEN cognifold.is_uuid(m.name) THEN m.name::uuid END AS id
            FROM jsonb_array_elements(operations) AS o (body)
            CROSS JOIN LATERAL (
                SELECT o.body ->> 'source' WHERE o.body ->> 'type' IN ('grounds', 'reinforces')
                UNION ALL
                SELECT jsonb_array_elements_text(CASE jsonb_typeof(o.body -> 'grounded_in') WHEN 'array' THEN o.body -> 'grounded_in' ELSE '[]' END)
            ) AS m (name)
            UNION
            SELECT f.id FROM unnest(folded_events) AS f (id)
        ) AS named
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = named.id AND n.kind = 'event'
        WHERE NOT EXISTS (SELECT FROM cognifold.lexical_document AS d WHERE d.tenant_id = tenant AND d.node_id = n.id);
    END IF;

    -- 1. What goes.
    IF operations @> '[{"op": "REMOVE_NODE"}]' OR operations @> '[{"op": "REMOVE_EDGE"}]' THEN
        removed := cognifold.remove_rows(tenant, operations);
        changes := changes || removed;
    END IF;

    -- 2. Nodes that come, and nodes that get other words.
    IF operations @> '[{"op": "ADD_NODE"}]' THEN
        new_nodes := cognifold.place_nodes(tenant, operations, coalesce(trigger_time, clock));
        changes := changes || cognifold.add_nodes(tenant, new_nodes, this_plan, clock_timestamp(), settings);
    END IF;
    IF operations @> '[{"op": "UPDATE_NODE"}]' OR new_nodes <> '[]' THEN
        updated := cognifold.update_nodes(tenant, operations, new_nodes, this_plan, clock, settings);
        changes := changes || updated;
    END IF;

    -- 3. Edges, and which events are evidence for a concept now that were not before this plan.
    wanted_edges := cognifold.place_edges(tenant, operations, new_nodes, proposer, trigger_time, clock, settings, is_linking);
    SELECT coalesce(jsonb_agg(DISTINCT jsonb_build_object('concept', w.target_id, 'event', w.source_id)), '[]')
    INTO fresh_evidence
    FROM jsonb_to_recordset(wanted_edges) AS w (source_id uuid, target_id uuid, type text, target_kind text, inferred boolean)
    WHERE w.type IN ('grounds', 'reinforces') AND w.target_kind = 'concept' AND NOT w.inferred
      AND NOT EXISTS (
          SELECT FROM cognifold.graph_edge AS e
          WHERE e.tenant_id = tenant AND e.source_id = w.source_id AND e.target_id = w.target_id
            AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred);
    -- As of the event that brings the evidence: a stream that is folded late wakes what it would have woken then.
    waking := ARRAY(SELECT w.target_id
                    FROM jsonb_to_recordset(wanted_edges) AS w (target_id uuid, type text, target_kind text, inferred boolean)
                    WHERE w.type IN ('grounds', 'reinforces') AND w.target_kind = 'concept' AND NOT w.inferred
                    UNION
                    SELECT (o.body ->> 'node')::uuid FROM jsonb_array_elements(operations) AS o (body) WHERE o.body ->> 'op' = 'WAKE_NODE');
    IF cardinality(waking) > 0 THEN
        changes := changes || cognifold.wake_concepts(tenant, waking, least(trigger_time, clock), settings);
    END IF;
    changes := changes || cognifold.add_edges(tenant, wanted_edges, this_plan, clock);
    IF NOT is_linking OR fresh_evidence <> '[]' THEN
        changes := changes || cognifold.settle_privacy(tenant, wanted_edges, new_nodes);
    END IF;
    IF updated <> '[]' AND operations @? '$[*] ? (@.op == "UPDATE_NODE" && @.privacy_level != null)' THEN
        changes := changes || cognifold.settle_privacy(tenant, updated, new_nodes, restated => true);
    END IF;

    -- 4. Concepts: the evidence that arrived.
    changes := changes || cognifold.add_evidence(tenant, wanted_edges, new_nodes, fresh_evidence, settings);

    -- 5. What was found out.
    IF operations @> '[{"op": "ADD_INSIGHT"}]' OR operations @> '[{"op": "CLOSE_INSIGHT"}]' THEN
        insights := cognifold.note_insights(tenant, operations, new_nodes, this_plan, clock);
        changes := changes || insights;
    END IF;
    IF operations @> '[{"op": "SET_ACTION"}]' THEN
        changes := changes || cognifold.note_actions(tenant, operations, new_nodes, this_plan, proposer, clock);
    END IF;

    -- 6. Concepts that become one, in the order the plan says, with all that came before; edges that have faded.
    IF operations @> '[{"op": "MERGE_NODES"}]' THEN
        FOR merge IN
            SELECT cognifold.merge_nodes(tenant, ARRAY(SELECT i.id::uuid FROM jsonb_array_elements_text(o.body -> 'ids') AS i (id)),
                                         (o.body ->> 'survivor')::uuid, clock, settings)
            FROM jsonb_array_elements(operations) WITH ORDINALITY AS o (body, position)
            WHERE o.body ->> 'op' = 'MERGE_NODES'
            ORDER BY o.position
        LOOP
            changes := changes || (merge -> 'changes');
            merged := merged || (merge - 'changes');
            changes := changes || cognifold.settle_privacy(tenant, (
                SELECT jsonb_agg(jsonb_build_object('source_id', a.id, 'target_id', merge -> 'survivor', 'type', 'part_of'))
                FROM jsonb_array_elements(merge -> 'absorbed') AS a (id)), new_nodes);
        END LOOP;
    END IF;
    IF operations @> '[{"op": "FADE_EDGES"}]' THEN
        faded := cognifold.fade_edges(tenant, clock, (settings ->> 'consolidate.fade_batch')::integer);
        changes := changes || faded;
    END IF;
    IF removed <> '[]' THEN
        unfounded := cognifold.unfounded_node(tenant, removed);
        IF unfounded IS NOT NULL THEN
            RAISE EXCEPTION 'plan rejected: operation % would leave % without provenance',
                (SELECT format('%s (%s)', o.position - 1, o.body ->> 'op')
                 FROM jsonb_array_elements(operations) WITH ORDINALITY AS o (body, position)
                 WHERE o.body ->> 'op' = 'REMOVE_EDGE'
                       AND unfounded IN (cognifold.resolve_node(tenant, (o.body ->> 'source')::uuid), cognifold.resolve_node(tenant, (o.body ->> 'target')::uuid))
                    OR o.body ->> 'op' = 'REMOVE_NODE' AND (o.body ->> 'node')::uuid IN (
                        SELECT (i.value ->> 'node_id')::uuid FROM jsonb_array_elements(removed) AS i
                        WHERE i.value ->> 'relation' = 'graph_edge' AND i.value ->> 'other_id' = unfounded::text
                        UNION ALL
                        SELECT (i.value ->> 'other_id')::uuid FROM jsonb_array_elements(removed) AS i
                        WHERE i.value ->> 'relation' = 'graph_edge' AND i.value ->> 'node_id' = unfounded::text)
                 ORDER BY o.position LIMIT 1),
                (SELECT format('%s "%s"', n.kind, n.title) FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = unfounded)
                USING ERRCODE = 'CF020', HINT = 'Nothing was changed. Remove the node as well, or give it other evidence in the same plan.';
        END IF;
    END IF;

    -- 7. The record.
    FOREACH folded IN ARRAY coalesce(folded_events, '{}') LOOP
        changes := changes || jsonb_build_object('relation', 'folded_event', 'node_id', folded, 'before', NULL);
    END LOOP;
    IF new_nodes <> '[]' THEN
        SELECT jsonb_object_agg(w.value ->> 'ref', w.value -> 'id') INTO refs FROM jsonb_array_elements(new_nodes) AS w WHERE w.value ->> 'ref' IS NOT NULL;
    END IF;
    -- Counted by paths and not by queries: every fold does this, mostly on nothing.
    result := jsonb_build_object(
        'plan_id', this_plan,
        'counts', jsonb_build_object(
            'nodes_added', jsonb_array_length(jsonb_path_query_array(new_nodes, '$[*] ? (@.made == true)')),
            'nodes_repeated', jsonb_array_length(jsonb_path_query_array(new_nodes, '$[*] ? (@.made == false)')),
            'nodes_updated', jsonb_array_length(jsonb_path_query_array(updated, '$[*] ? (@.relation == "node")')),
            'edges_added', jsonb_array_length(jsonb_path_query_array(wanted_edges, '$[*] ? (@.existed == false)')),
            'edges_reinforced', jsonb_array_length(jsonb_path_query_array(wanted_edges, '$[*] ? (@.existed == true)')))
            || jsonb_strip_nulls(jsonb_build_object(
                'annotations_set', NULLIF(jsonb_array_length(jsonb_path_query_array(updated, '$[*] ? (@.relation == "annotation")')), 0),
                'nodes_removed', NULLIF(jsonb_array_length(jsonb_path_query_array(removed, '$[*] ? (@.relation == "node")')), 0),
                'edges_removed', NULLIF(jsonb_array_length(jsonb_path_query_array(removed, '$[*] ? (@.relation == "graph_edge")')), 0),
                'nodes_merged', CASE WHEN merged <> '[]' THEN jsonb_array_length(jsonb_path_query_array(merged, '$[*].absorbed[*]')) END,
                'edges_faded', NULLIF(jsonb_array_length(faded), 0),
                'insights_added', NULLIF(jsonb_array_length(jsonb_path_query_array(insights, '$[*] ? (@.before == null)')), 0),
                'insights_refreshed', NULLIF(jsonb_array_length(jsonb_path_query_array(operations, '$[*] ? (@.op == "ADD_INSIGHT")'))
                                             - jsonb_array_length(jsonb_path_query_array(insights, '$[*] ? (@.before == null)')), 0),
                'insights_closed', NULLIF(jsonb_array_length(jsonb_path_query_array(operations, '$[*] ? (@.op == "CLOSE_INSIGHT")')), 0),
                'actions_set', NULLIF(jsonb_array_length(jsonb_path_query_array(operations, '$[*] ? (@.op == "SET_ACTION")')), 0))),
        'refs', coalesce(refs, '{}'))
        || CASE WHEN merged = '[]' THEN '{}' ELSE jsonb_build_object('merged', merged) END;
    PERFORM cognifold.record_plan(tenant, this_plan, plan, proposer, NULL, result, changes, clock);
    RETURN result;
END
$$;
COMMENT ON FUNCTION cognifold.execute_plan(text, jsonb, text, uuid[], jsonb) IS
    'Applies a plan for a proposer (sql, llm, user, consolidate, intent); it is the fold of folded_events, which are indexed and leave the queue. settings: those of the tenant, where the caller has them and its turn. Returns what apply_plan returns, and raises what it raises. Internal: every verb that changes the graph calls it, but for undo_plan.';
