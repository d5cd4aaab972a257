-- consolidate: the sleep pass. What was recalled is counted and tied, what has faded leaves the live graph, what is alike becomes
-- one, what was never linked is tied in, and events are replayed.
--
-- It looks at what changed since the last pass (consolidation_dirty) and at what is due by now, and at nothing else. All of it
-- happens in the caller's transaction under the tenant's graph lock: a second pass waits, an error leaves nothing.
CREATE OR REPLACE FUNCTION cognifold.consolidate(
    as_of timestamptz DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous   text := cognifold.enter_tenant(tenant);
    clock      timestamptz := cognifold.checked_moment('consolidate', as_of);
    started    timestamptz := clock_timestamp();
    settings   jsonb := cognifold.settings(tenant);
    maximum    integer := (settings ->> 'plan.maximum_operations')::integer;
    batch      integer := (settings ->> 'learn.batch')::integer;
    learned    jsonb;
    recalled   jsonb := '{}';    -- what became of the recalls noted since the last pass, summed over batches
    changed    uuid[];           -- concepts that changed since the last pass
    looking    uuid[];           -- concepts that may be like others now
    allowed    integer;          -- merges this pass may still do
    pairs      jsonb;
    operations jsonb;
    applied    jsonb;
    plans      jsonb := '[]';
    unsettled  uuid[] := '{}';   -- concepts the next pass must look at again
    faded      integer := 0;
    merged     integer := 0;
    left_over  integer := 0;
    completed  integer;
    inferred   integer := 0;
    states     jsonb;
    report     jsonb;
BEGIN
    PERFORM cognifold.take_turn(tenant);

    -- 1. Accumulation: what was recalled since the last pass.
    LOOP
        learned := cognifold.learn_recalls(tenant, batch);
        plans := plans || (learned -> 'plans');
        recalled := (SELECT jsonb_object_agg(n.key, n.value::bigint + coalesce((recalled ->> n.key)::bigint, 0))
                     FROM jsonb_each_text(learned - '{plans,nodes_accessed}'::text[]) AS n);
        EXIT WHEN (learned ->> 'recalls_counted')::integer < batch;
    END LOOP;
    changed := ARRAY(SELECT d.node_id FROM cognifold.consolidation_dirty AS d
                     WHERE d.tenant_id = tenant AND d.kind = 'concept' ORDER BY d.node_id);

    -- 2. Decay. Weights fall by themselves; what is below the bar by now leaves the live graph.
    WHILE EXISTS (
        SELECT FROM cognifold.fading_bars(tenant, clock) AS b
        CROSS JOIN LATERAL (SELECT FROM cognifold.graph_edge AS e
                            WHERE e.tenant_id = tenant AND e.rate = b.rate AND e.faded_at IS NULL AND e.potential < b.bar LIMIT 1) AS due)
    LOOP
        applied := cognifold.execute_plan(tenant, jsonb_build_object(
            'as_of', clock, 'reasoning', 'decay: edges that have faded leave the live graph',
            'operations', jsonb_build_array(jsonb_build_object(
                'op', 'FADE_EDGES', 'as_of', clock, 'reasoning', format('mass below %s', settings -> 'edge.fade')))), 'consolidate');
        plans := plans || (applied -> 'plan_id');
        faded := faded + (applied -> 'counts' ->> 'edges_faded')::integer;
    END LOOP;

    -- 3. Compression, in rounds: each concept merges once a round, and a survivor, whose mean has moved, is looked at again.
    SELECT greatest(1, floor((settings ->> 'consolidate.merge_share')::double precision * count(*))) INTO allowed
    FROM cognifold.node AS n
    WHERE cardinality(changed) > 0 AND n.tenant_id = tenant AND n.kind = 'concept' AND n.merged_into IS NULL;
    looking := changed;
    WHILE cardinality(looking) > 0 LOOP
        pairs := cognifold.alike_concepts(tenant, looking);
        looking := '{}';
        left_over := left_over + greatest(0, jsonb_array_length(pairs) - allowed);
        unsettled := unsettled || ARRAY(
            SELECT e.id::uuid FROM jsonb_array_elements(pairs) WITH ORDINALITY AS p (value, place)
            CROSS JOIN LATERAL jsonb_array_elements_text(p.value -> 'ids') AS e (id) WHERE p.place > allowed);
        FOR operations IN
            SELECT jsonb_agg(p.value || '{"op": "MERGE_NODES"}' ORDER BY p.place)
            FROM jsonb_array_elements(pairs) WITH ORDINALITY AS p (value, place)
            WHERE p.place <= allowed
            GROUP BY (p.place - 1) / maximum ORDER BY (p.place - 1) / maximum
        LOOP
            applied := cognifold.execute_plan(tenant, jsonb_build_object(
                'as_of', clock, 'reasoning', 'compression: concepts that are alike become one', 'operations', operations), 'consolidate');
            plans := plans || (applied -> 'plan_id');
            merged := merged + (applied -> 'counts' ->> 'nodes_merged')::integer;
            looking := looking || ARRAY(SELECT (m.value ->> 'survivor')::uuid FROM jsonb_array_elements(applied -> 'merged') AS m);
        END LOOP;
        allowed := allowed - cardinality(looking);
    END LOOP;

    -- 4. Completion of concepts that nothing living ever pointed at.
    SELECT coalesce(jsonb_agg(o.operation), '[]'), count(DISTINCT o.concept) INTO operations, completed
    FROM cognifold.orphan_links(tenant, changed) AS o;
    FOR operations IN
        SELECT jsonb_agg(o.value ORDER BY o.place) FROM jsonb_array_elements(operations) WITH ORDINALITY AS o (value, place)
        GROUP BY (o.place - 1) / maximum ORDER BY (o.place - 1) / maximum
    LOOP
        applied := cognifold.execute_plan(tenant, jsonb_build_object(
            'as_of', clock, 'reasoning', 'completion: concepts without a live link are tied to what is near', 'operations', operations), 'consolidate');
        plans := plans || (applied -> 'plan_id');
        inferred := inferred + (applied -> 'counts' ->> 'edges_added')::integer;
    END LOOP;
    DELETE FROM cognifold.consolidation_dirty AS d
    WHERE d.tenant_id = tenant AND d.kind = 'concept' AND d.node_id = ANY (changed);
    INSERT INTO cognifold.consolidation_dirty (tenant_id, kind, node_id)
    SELECT tenant, 'concept', u.id FROM unnest(unsettled) AS u (id)
    ON CONFLICT DO NOTHING;

    -- 5. Replay: events move on from fresh to archived.
    states := cognifold.replay_events(tenant, clock);

    report := jsonb_build_object(
        'as_of', clock, 'plans', plans,
        'counts', states || recalled || jsonb_build_object(
            'concepts_changed', cardinality(changed), 'edges_faded', faded, 'concepts_merged', merged, 'merges_left', left_over,
            'concepts_completed', completed, 'edges_inferred', inferred));
    IF EXISTS (SELECT FROM jsonb_each(report -> 'counts') AS c WHERE c.value <> '0') THEN
        report := report || jsonb_build_object('run_id', cognifold.new_id());
        INSERT INTO cognifold.consolidation_run (tenant_id, run_id, as_of, started_at, finished_at, report)
        VALUES (tenant, (report ->> 'run_id')::uuid, clock, started, clock_timestamp(), report);
    ELSE
        report := report || '{"run_id": null}';
    END IF;
    PERFORM cognifold.settle_ranks(tenant);
    PERFORM cognifold.leave_tenant(previous);
    RETURN report;
END
$$;
COMMENT ON FUNCTION cognifold.consolidate(timestamptz, text) IS
    'One sleep pass over what changed since the last: accumulation (recalls that were noted are counted; what was recalled wakes, what is recalled together is tied: count_recalls), decay (edges below edge.fade leave the live graph), compression (concepts above the model''s merge threshold that do not conflict become one, at most consolidate.merge_share of the concepts a pass), completion (a concept that never had a live edge is tied to its nearest events and concepts by inferred edges), replay (integration scores and states of events). as_of: the moment to decide by; default the memory''s clock. Returns {"run_id", "as_of", "plans": [plan ids], "counts": {recalls_counted, concepts_woken, pairs_linked, pairs_reinforced, concepts_changed, edges_faded, concepts_merged, merges_left, concepts_completed, edges_inferred, events_replayed, events_consolidating, events_consolidated, events_archived}}; run_id is null and nothing is written when there was nothing to do. Atomic; two passes of one tenant take turns.';
