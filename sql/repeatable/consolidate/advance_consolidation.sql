-- advance_consolidation: the next piece of a pass, and how far it has come.
--
--   recalls ─► decay ─► concepts ─► events ─► archive ─► ranks (and once more decay)
--
-- A piece deals with what there is in one phase, up to a limit; a phase in which nothing is left is passed over. Where it stands
-- is written with what it did. The dirty set is the cursor: a piece takes out of it what it has settled.
CREATE OR REPLACE FUNCTION cognifold.advance_consolidation(tenant text, run_id uuid, settings jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    origin  CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
    began   CONSTANT timestamptz := clock_timestamp();
    run     cognifold.consolidation_run;
    phase   text;              -- of this piece
    maximum bigint;            -- what its budget leaves
    chunk   integer;
    batch   integer;
    nodes   uuid[];
    done    jsonb;
    counts  jsonb := '{}';
    plans   jsonb := '[]';
    settled bigint := 0;
    ended   boolean := false;
BEGIN
    SELECT r.* INTO STRICT run FROM cognifold.consolidation_run AS r WHERE r.tenant_id = tenant AND r.run_id = run_id;
    maximum := run.row_budget - run.settled;   -- above 0 while it runs
    chunk := least((settings ->> 'consolidate.step')::bigint, maximum);
    LOOP
        phase := run.phase;
        CASE phase
        WHEN 'recalls' THEN   -- accumulation: what was recalled since the last pass
            batch := least((settings ->> 'learn.batch')::bigint, maximum);
            done := cognifold.learn_recalls(tenant, batch);
            plans := done -> 'plans';
            counts := done - '{plans,nodes_accessed}'::text[];
            settled := (done ->> 'recalls_counted')::bigint;
            IF settled < batch THEN
                run.phase := 'decay';
            END IF;
        -- Weights fall by themselves; what is below the bar by now leaves the live graph. Once more at the end: a summary of old
        -- events rests on what has faded long ago.
        WHEN 'decay', 'ranks' THEN
            batch := least((settings ->> 'consolidate.fade_batch')::bigint, maximum);
            IF cognifold.edges_due(tenant, run.as_of) THEN
                done := cognifold.execute_in_plans(
                    tenant, run.as_of, 'decay: edges that have faded leave the live graph',
                    jsonb_build_array(jsonb_build_object(
                        'op', 'FADE_EDGES', 'as_of', run.as_of, 'reasoning', format('mass below %s', settings -> 'edge.fade'))),
                    settings || jsonb_build_object('consolidate.fade_batch', batch));
                plans := done -> 'plans';
                settled := coalesce((done -> 'counts' ->> 'edges_faded')::bigint, 0);
                counts := jsonb_build_object('edges_faded', settled);
            END IF;
            IF settled < batch THEN
                IF phase = 'decay' THEN
                    run.phase := 'concepts';
                    run.place := NULL;
                ELSE
                    PERFORM cognifold.settle_ranks(tenant, (settings ->> 'consolidate.pushes')::bigint);
                    ended := true;
                END IF;
            END IF;
        WHEN 'concepts' THEN
            IF run.place IS NULL THEN
                run.place := origin;
                run.until := cognifold.last_dirty(tenant, 'concept');
            END IF;
            nodes := cognifold.next_dirty(tenant, 'concept', run.place, run.until, chunk);
            settled := cardinality(nodes);
            IF settled > 0 THEN
                run.place := nodes[settled];
                run.merges_allowed := coalesce(run.merges_allowed, greatest(1, floor(
                    (settings ->> 'consolidate.merge_share')::double precision
                    * (SELECT c.concepts FROM cognifold.vector_count AS c   -- kept, where counting would cost what there is
                       WHERE c.tenant_id = tenant AND c.model_id = (cognifold.tenant_model(tenant)).model_id))));
                done := cognifold.settle_concepts(tenant, nodes, run.as_of, run.merges_allowed, settings);
                plans := done -> 'plans';
                counts := done -> 'counts';
                run.merges_allowed := run.merges_allowed - (counts ->> 'concepts_merged')::bigint;
                DELETE FROM cognifold.consolidation_dirty AS d
                WHERE d.tenant_id = tenant AND d.kind = 'concept' AND d.node_id = ANY (nodes);
                INSERT INTO cognifold.consolidation_dirty (tenant_id, kind, node_id)
                SELECT tenant, 'concept', u.id::uuid FROM jsonb_array_elements_text(done -> 'unsettled') AS u (id)
                ON CONFLICT DO NOTHING;
            ELSE
                run.phase := 'events';
                run.place := NULL;
            END IF;
        WHEN 'events' THEN
            IF run.place IS NULL THEN
                run.place := origin;
                run.until := cognifold.last_dirty(tenant, 'event');
            END IF;
            nodes := cognifold.next_dirty(tenant, 'event', run.place, run.until, chunk);
            IF cardinality(nodes) > 0 THEN
                run.place := nodes[cardinality(nodes)];
            ELSE
                nodes := cognifold.due_events(tenant, run.as_of, chunk);   -- what was just replayed is due later
            END IF;
            settled := cardinality(nodes);
            IF settled > 0 THEN
                done := cognifold.settle_events(tenant, nodes, run.as_of, settings);
                plans := done -> 'plans';
                counts := done -> 'counts';
                DELETE FROM cognifold.consolidation_dirty AS d
                WHERE d.tenant_id = tenant AND d.kind = 'event' AND d.node_id = ANY (nodes);
            ELSE
                run.phase := 'archive';
            END IF;
        WHEN 'archive' THEN
            counts := cognifold.archive_events(tenant, run.as_of, chunk);
            settled := coalesce((SELECT max(c.value::bigint) FROM jsonb_each_text(counts) AS c), 0);
            IF settled = 0 THEN
                run.phase := 'ranks';
            END IF;
        END CASE;
        EXIT WHEN settled > 0 OR ended;
    END LOOP;
    IF plans <> '[]' THEN
        PERFORM cognifold.settle_ranks(tenant, (settings ->> 'consolidate.pushes')::bigint, cognifold.ranks_due(tenant));
    END IF;

    run.settled := run.settled + settled;
    IF NOT ended AND (run.settled >= run.row_budget OR clock_timestamp() - run.started_at >= run.time_budget) THEN
        PERFORM cognifold.settle_ranks(tenant, (settings ->> 'consolidate.pushes')::bigint);
        ended := true;
        run.more := cognifold.consolidation_due(tenant, run.as_of) IS NOT NULL;
    END IF;
    UPDATE cognifold.consolidation_run AS r
    SET state = CASE WHEN ended THEN 'finished' ELSE r.state END, phase = run.phase, updated_at = clock_timestamp(),
        finished_at = CASE WHEN ended THEN clock_timestamp() END, steps = r.steps + 1, settled = run.settled,
        plans = r.plans + jsonb_array_length(plans), counts = cognifold.added_counts(r.counts, counts),
        more = CASE WHEN ended THEN coalesce(run.more, false) END, merges_allowed = run.merges_allowed, place = run.place, until = run.until,
        held = clock_timestamp() - began, holder = pg_backend_pid(), leased_until = clock_timestamp() + make_interval(secs => (settings ->> 'consolidate.lease')::double precision)
    WHERE r.tenant_id = tenant AND r.run_id = run_id;
    RETURN jsonb_build_object(
        'run_id', run_id, 'as_of', run.as_of, 'running', NOT ended, 'phase', phase,
        'more', CASE WHEN ended THEN coalesce(run.more, false) ELSE true END, 'steps', run.steps + 1, 'settled', settled,
        'plans', plans, 'counts', counts);
END
$$;
COMMENT ON FUNCTION cognifold.advance_consolidation(text, uuid, jsonb) IS
    'Does the next piece of a running pass, within its budget, and writes down how far it is. Returns what consolidate_step returns. The caller holds the tenant''s turn. Internal.';
