-- execute_plan: the one way the graph changes. Checks a plan, applies it whole or not at all, and journals what was there.
CREATE OR REPLACE FUNCTION cognifold.execute_plan(
    tenant text, plan jsonb, proposer text, folded_event_id uuid DEFAULT NULL
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
    problem          text;
    settings         jsonb;
    clock            timestamptz := cognifold.now();
    recorded         timestamptz := clock_timestamp();
    this_plan        uuid := CASE WHEN pg_input_is_valid(plan ->> 'plan_id', 'uuid') THEN (plan ->> 'plan_id')::uuid ELSE cognifold.new_id() END;
    trigger_event    uuid;
    trigger_time     timestamptz;
    earlier          record;
    new_nodes        jsonb;  -- one object an ADD_NODE: position, ref, id, made, duplicate, kind, title, ..., grounded_in
    wanted_edges     jsonb;  -- one object an edge to add or reinforce, with ids resolved
    fresh_evidence   jsonb;  -- {concept, event} pairs that were not evidence before
    changes          jsonb := '[]';  -- {relation, row_key, before}, in the order made
    made             jsonb;
    updated          jsonb;
    merge            jsonb;
    merged           jsonb := '[]';  -- {survivor, absorbed}, one a MERGE_NODES
    faded            jsonb := '[]';
    woken            jsonb;
    counts           jsonb;
    result           jsonb;
BEGIN
    PERFORM cognifold.take_turn(tenant);

    SELECT p.operations, p.result INTO earlier FROM cognifold.plan AS p WHERE p.tenant_id = tenant AND p.plan_id = this_plan;
    IF FOUND THEN
        IF earlier.operations = plan -> 'operations' THEN
            RETURN earlier.result;
        END IF;
        RAISE EXCEPTION 'plan_id % was used for another plan', this_plan
            USING ERRCODE = 'CF020', HINT = 'Give each plan an id of its own, or none.';
    END IF;

    problem := cognifold.plan_problem(tenant, plan, proposer);
    IF problem IS NOT NULL THEN
        RAISE EXCEPTION 'plan rejected: %', problem
            USING ERRCODE = 'CF020', HINT = 'Nothing was changed. Correct that operation and apply the plan again.';
    END IF;
    settings := cognifold.settings(tenant);
    IF proposer IN ('consolidate', 'intent') THEN
        clock := coalesce((plan ->> 'as_of')::timestamptz, clock);  -- a pass decides as of a moment, and its plans are of that moment
    END IF;
    trigger_event := (plan ->> 'trigger_event_id')::uuid;
    SELECT n.occurred_at INTO trigger_time FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = trigger_event;

    -- Evidence counts by its vector and its words: what waits to be folded, and so to be indexed, is indexed now.
    PERFORM cognifold.index_node(tenant, n.id)
    FROM (
        SELECT DISTINCT CASE WHEN m.name ~ '^[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$' THEN m.name::uuid END AS id
        FROM jsonb_array_elements(plan -> 'operations') AS o (body)
        CROSS JOIN LATERAL (
            SELECT o.body ->> 'source' WHERE o.body ->> 'type' IN ('grounds', 'reinforces')
            UNION ALL
            SELECT jsonb_array_elements_text(CASE jsonb_typeof(o.body -> 'grounded_in') WHEN 'array' THEN o.body -> 'grounded_in' ELSE '[]' END)
        ) AS m (name)
    ) AS named
    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = named.id AND n.kind = 'event'
    WHERE NOT EXISTS (SELECT FROM cognifold.lexical_document AS d WHERE d.tenant_id = tenant AND d.node_id = n.id);

    -- 1. Nodes: which are new, which repeat a concept or a moment that is there.
    SELECT jsonb_agg(jsonb_build_object(
               'position', o.position, 'ref', o.body ->> 'ref', 'kind', o.body ->> 'kind', 'title', btrim(o.body ->> 'title'),
               'content', coalesce(o.body ->> 'content', btrim(o.body ->> 'title')), 'reasoning', o.body ->> 'reasoning',
               'memory_type', o.body ->> 'memory_type', 'payload', o.body -> 'payload',
               'occurred_at', coalesce((o.body ->> 'occurred_at')::timestamptz, trigger_time, clock),
               'precision', coalesce(o.body ->> 'precision', 'instant'),
               'grounded_in', coalesce(o.body -> 'grounded_in', '[]'),
               'repeats', CASE o.body ->> 'kind'
                   WHEN 'concept' THEN cognifold.duplicate_concept(tenant, o.body ->> 'title', ARRAY(
                       SELECT cognifold.resolve_node(tenant, g.name::uuid)
                       FROM jsonb_array_elements_text(o.body -> 'grounded_in') AS g (name)
                       WHERE g.name ~ '^[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$'))
                   WHEN 'time' THEN (SELECT n.id FROM cognifold.node AS n
                                     WHERE n.tenant_id = tenant AND n.kind = 'time' AND n.occurred_at = (o.body ->> 'occurred_at')::timestamptz
                                       AND n.occurred_precision = coalesce(o.body ->> 'precision', 'instant'))
               END,
               'id', cognifold.new_id()) ORDER BY o.position)
    INTO new_nodes
    FROM (SELECT a.ordinality - 1, a.value FROM jsonb_array_elements(plan -> 'operations') WITH ORDINALITY AS a (value, ordinality))
         AS o (position, body)
    WHERE o.body ->> 'op' = 'ADD_NODE';

    -- A moment, or a concept by its title, named twice in one plan is one node, too.
    SELECT coalesce(jsonb_agg(w.value || jsonb_build_object('made', w.repeats IS NULL AND w.rank = 1, 'repeats', w.repeats,
                                                            'id', coalesce(w.repeats, w.first_id::text)) ORDER BY w.position), '[]')
    INTO new_nodes
    FROM (
        SELECT v.value, (v.value ->> 'position')::integer AS position, row_number() OVER in_order AS rank,
               first_value((v.value ->> 'id')::uuid) OVER in_order AS first_id, min(v.value ->> 'repeats') OVER same_node AS repeats
        FROM jsonb_array_elements(new_nodes) AS v
        WINDOW same_node AS (PARTITION BY v.value ->> 'kind',
                                          CASE v.value ->> 'kind' WHEN 'time' THEN (v.value ->> 'occurred_at') || (v.value ->> 'precision')
                                                                  WHEN 'concept' THEN lower(v.value ->> 'title')
                                                                  ELSE v.value ->> 'position' END),
               in_order AS (same_node ORDER BY (v.value ->> 'position')::integer)
    ) AS w;

    WITH node_wanted AS (
        SELECT w.* FROM jsonb_to_recordset(new_nodes) AS w
            (id uuid, made boolean, kind text, title text, content text, reasoning text, memory_type text, payload jsonb,
             occurred_at timestamptz, precision text)
        WHERE w.made
    ), node_made AS (
        INSERT INTO cognifold.node (tenant_id, id, kind, memory_type, title, occurred_at, occurred_precision, recorded_at, reasoning, plan_id)
        SELECT tenant, w.id, w.kind, coalesce(w.memory_type, 'semantic'), w.title, w.occurred_at, w.precision, recorded, w.reasoning, this_plan
        FROM node_wanted AS w
        RETURNING id, kind
    ), content_made AS (
        INSERT INTO cognifold.node_content (tenant_id, node_id, content, payload)
        SELECT tenant, w.id, w.content, NULLIF(w.payload, 'null') FROM node_wanted AS w
    ), concept_made AS (
        INSERT INTO cognifold.concept_state (tenant_id, node_id, strength, evidence_count)
        SELECT tenant, w.id, (settings ->> 'concept.initial_strength')::double precision, 0 FROM node_wanted AS w WHERE w.kind = 'concept'
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object('relation', 'node', 'row_key', jsonb_build_object('id', n.id), 'before', NULL)), '[]')
    INTO made FROM node_made AS n;
    changes := changes || made;
    PERFORM cognifold.index_node(tenant, (w.value ->> 'id')::uuid) FROM jsonb_array_elements(new_nodes) AS w WHERE (w.value ->> 'made')::boolean;

    -- 2. Nodes that get other words. Several updates of one node in a plan come down to the last of each field.
    WITH update_wanted AS (
        SELECT cognifold.resolve_node(tenant, (o.body ->> 'node')::uuid) AS id,
               (array_agg(btrim(o.body ->> 'title') ORDER BY o.position DESC) FILTER (WHERE o.body ->> 'title' IS NOT NULL))[1] AS title,
               (array_agg(o.body ->> 'content' ORDER BY o.position DESC) FILTER (WHERE o.body ->> 'content' IS NOT NULL))[1] AS content
        FROM (SELECT a.ordinality, a.value FROM jsonb_array_elements(plan -> 'operations') WITH ORDINALITY AS a (value, ordinality))
             AS o (position, body)
        WHERE o.body ->> 'op' = 'UPDATE_NODE'
        GROUP BY 1
    ), before AS (
        SELECT n.id, n.title, c.content
        FROM update_wanted AS w
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = w.id
        JOIN cognifold.node_content AS c ON c.tenant_id = tenant AND c.node_id = w.id
    ), title_updated AS (
        UPDATE cognifold.node AS n SET title = w.title
        FROM update_wanted AS w WHERE n.tenant_id = tenant AND n.id = w.id AND w.title IS NOT NULL
    ), content_updated AS (
        -- A content that only said the title goes with it.
        UPDATE cognifold.node_content AS c SET content = coalesce(w.content, w.title)
        FROM update_wanted AS w JOIN before AS b ON b.id = w.id
        WHERE c.tenant_id = tenant AND c.node_id = w.id AND (w.content IS NOT NULL OR b.content = b.title)
    ), index_dropped AS (
        DELETE FROM cognifold.lexical_document AS d USING update_wanted AS w WHERE d.tenant_id = tenant AND d.node_id = w.id
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'relation', 'node', 'row_key', jsonb_build_object('id', b.id),
               'before', jsonb_build_object('title', b.title, 'content', b.content)) ORDER BY b.id), '[]')
    INTO updated FROM before AS b;
    changes := changes || updated;
    PERFORM cognifold.index_node(tenant, (u.value -> 'row_key' ->> 'id')::uuid) FROM jsonb_array_elements(updated) AS u;

    -- 3. Edges: those the plan states, and those that grounded_in implies; one a key, a stated weight before a default.
    WITH operation AS (
        SELECT a.ordinality - 1 AS position, a.value AS body
        FROM jsonb_array_elements(plan -> 'operations') WITH ORDINALITY AS a (value, ordinality)
    ), node_named AS (
        SELECT w.ref, w.id, w.kind, w.repeats, w.position, w.grounded_in
        FROM jsonb_to_recordset(new_nodes) AS w (ref text, id uuid, kind text, repeats uuid, position bigint, grounded_in jsonb)
    ), claim AS (   -- names as the plan says them
        SELECT o.position, o.body ->> 'source' AS source, o.body ->> 'target' AS target, o.body ->> 'type' AS type,
               (o.body ->> 'weight')::double precision AS weight, coalesce((o.body ->> 'inferred')::boolean, false) AS inferred,
               coalesce((o.body ->> 'bidirectional')::boolean, false) AS bidirectional, NULLIF(o.body -> 'metadata', 'null') AS metadata
        FROM operation AS o WHERE o.body ->> 'op' = 'ADD_EDGE'
        UNION ALL
        SELECT w.position, g.name, w.id::text, NULL, NULL, false, false, NULL
        FROM node_named AS w
        CROSS JOIN LATERAL jsonb_array_elements_text(w.grounded_in) AS g (name)
        WHERE w.kind IN ('concept', 'intent')
    ), resolved AS MATERIALIZED (
        SELECT c.position, c.weight, c.inferred, c.bidirectional, c.metadata, c.type,
               coalesce(sw.id, cognifold.resolve_node(tenant, CASE WHEN sw.ref IS NULL THEN c.source::uuid END)) AS source_id,
               coalesce(tw.id, cognifold.resolve_node(tenant, CASE WHEN tw.ref IS NULL THEN c.target::uuid END)) AS target_id
        FROM claim AS c
        LEFT JOIN node_named AS sw ON sw.ref = c.source
        LEFT JOIN node_named AS tw ON tw.ref = c.target
    ), typed AS (
        SELECT r.position, r.weight, r.inferred, r.bidirectional, r.metadata,
               -- What grounded_in implies depends on the two kinds; a new concept points at the one it came from.
               coalesce(r.type, CASE WHEN s.kind = 'concept' AND t.kind = 'intent' THEN 'triggers'
                                     WHEN s.kind = 'concept' THEN 'derived_from'
                                     WHEN t.kind = 'concept' AND w.repeats IS NOT NULL THEN 'reinforces'
                                     ELSE 'grounds' END) AS type,
               CASE WHEN r.type IS NULL AND s.kind = 'concept' AND t.kind = 'concept' THEN t.id ELSE s.id END AS source_id,
               CASE WHEN r.type IS NULL AND s.kind = 'concept' AND t.kind = 'concept' THEN s.id ELSE t.id END AS target_id,
               s.kind AS source_kind, t.kind AS target_kind,
               CASE s.kind WHEN 'event' THEN 'episodic' ELSE 'semantic' END AS rate,
               -- What an event states is of its time; what is inferred about it is of the time it was inferred.
               CASE WHEN s.kind = 'event' AND NOT (r.inferred AND proposer = 'consolidate') THEN s.occurred_at
                    ELSE coalesce(trigger_time, clock) END AS stamp
        FROM resolved AS r
        -- LIMIT 1: each is looked up by its key, where a join would let the planner hash every node of the tenant.
        CROSS JOIN LATERAL (
            SELECT n.id, n.kind, n.occurred_at FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = r.source_id LIMIT 1
        ) AS s
        CROSS JOIN LATERAL (
            SELECT n.id, n.kind FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = r.target_id LIMIT 1
        ) AS t
        LEFT JOIN node_named AS w ON w.position = r.position AND r.type IS NULL
        WHERE r.source_id <> r.target_id
    ), one_a_key AS (
        SELECT DISTINCT ON (y.source_id, y.target_id, y.type)
               y.*, bool_and(y.inferred) OVER (PARTITION BY y.source_id, y.target_id, y.type) AS only_inferred
        FROM typed AS y
        ORDER BY y.source_id, y.target_id, y.type, y.weight DESC NULLS LAST, y.position
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'position', k.position, 'source_id', k.source_id, 'target_id', k.target_id, 'type', k.type, 'source_kind', k.source_kind,
               'target_kind', k.target_kind, 'rate', k.rate, 'stamp', k.stamp, 'inferred', k.only_inferred, 'bidirectional', k.bidirectional,
               'metadata', k.metadata, 'existed', e.potential IS NOT NULL, 'was_inferred', coalesce(e.inferred, true),
               'before', CASE WHEN e.potential IS NOT NULL THEN to_jsonb(e) - 'tenant_id' END,
               'potential', ln(CASE WHEN e.potential IS NULL THEN coalesce(k.weight, t.default_weight)
                                    ELSE (settings ->> 'edge.reinforcement')::double precision END)
                            + cognifold.decay_integral(tenant, k.rate, k.stamp))
               ORDER BY k.position, k.source_id, k.target_id, k.type), '[]')
    INTO wanted_edges
    FROM one_a_key AS k
    JOIN cognifold.edge_type AS t ON t.type = k.type
    LEFT JOIN cognifold.graph_edge AS e
           ON e.tenant_id = tenant AND e.source_id = k.source_id AND e.target_id = k.target_id AND e.type = k.type;

    -- Which events are evidence for a concept now that were not before this plan.
    SELECT coalesce(jsonb_agg(DISTINCT jsonb_build_object('concept', w.target_id, 'event', w.source_id)), '[]')
    INTO fresh_evidence
    FROM jsonb_to_recordset(wanted_edges) AS w (source_id uuid, target_id uuid, type text, target_kind text, inferred boolean)
    WHERE w.type IN ('grounds', 'reinforces') AND w.target_kind = 'concept' AND NOT w.inferred
      AND NOT EXISTS (
          SELECT FROM cognifold.graph_edge AS e
          WHERE e.tenant_id = tenant AND e.source_id = w.source_id AND e.target_id = w.target_id
            AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred);

    -- As of the event that brings the evidence: a stream that is folded late wakes what it would have woken then.
    woken := cognifold.wake_concepts(tenant, wanted_edges, least(trigger_time, clock), settings);
    changes := changes || woken;

    INSERT INTO cognifold.graph_edge AS e
        (tenant_id, source_id, target_id, type, source_kind, target_kind, rate, potential, stamped_at, created_at, inferred, bidirectional,
         metadata, plan_id)
    SELECT tenant, w.source_id, w.target_id, w.type, w.source_kind, w.target_kind, w.rate, w.potential, w.stamp, clock, w.inferred,
           w.bidirectional, NULLIF(w.metadata, 'null'), this_plan
    FROM jsonb_to_recordset(wanted_edges) AS w
        (source_id uuid, target_id uuid, type text, source_kind text, target_kind text, rate text, potential double precision,
         stamp timestamptz, inferred boolean, bidirectional boolean, metadata jsonb)
    ON CONFLICT ON CONSTRAINT graph_edge_pkey DO UPDATE
        SET potential = cognifold.logaddexp(e.potential, excluded.potential),
            stamped_at = greatest(e.stamped_at, excluded.stamped_at),
            inferred = e.inferred AND excluded.inferred,
            bidirectional = e.bidirectional OR excluded.bidirectional,
            metadata = coalesce(e.metadata || excluded.metadata, e.metadata, excluded.metadata),
            faded_at = NULL;

    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'relation', 'graph_edge',
               'row_key', jsonb_build_object('source_id', w.source_id, 'target_id', w.target_id, 'type', w.type),
               'before', w.before) ORDER BY w.position, w.source_id, w.target_id, w.type), '[]')
    INTO made
    FROM jsonb_to_recordset(wanted_edges) AS w (position bigint, source_id uuid, target_id uuid, type text, before jsonb);
    changes := changes || made;

    -- 4. Concepts: the evidence that arrived.
    changes := changes || cognifold.add_evidence(tenant, wanted_edges, new_nodes, fresh_evidence, settings);

    -- 5. Concepts that become one, in the order the plan says, with all that came before; edges that have faded.
    IF plan -> 'operations' @> '[{"op": "MERGE_NODES"}]' THEN
        FOR merge IN
            SELECT cognifold.merge_nodes(tenant, ARRAY(SELECT i.id::uuid FROM jsonb_array_elements_text(o.body -> 'ids') AS i (id)),
                                         (o.body ->> 'survivor')::uuid, clock, settings)
            FROM jsonb_array_elements(plan -> 'operations') WITH ORDINALITY AS o (body, position)
            WHERE o.body ->> 'op' = 'MERGE_NODES'
            ORDER BY o.position
        LOOP
            changes := changes || (merge -> 'changes');
            merged := merged || (merge - 'changes');
        END LOOP;
    END IF;
    IF plan -> 'operations' @> '[{"op": "FADE_EDGES"}]' THEN
        faded := cognifold.fade_edges(tenant, clock, (settings ->> 'consolidate.fade_batch')::integer);
        changes := changes || faded;
    END IF;

    -- 6. The record.
    IF merged <> '[]' OR woken <> '[]' THEN
        changes := cognifold.first_images(changes);
    END IF;
    IF proposer <> 'consolidate' THEN
        PERFORM cognifold.mark_changed(tenant, new_nodes, wanted_edges, updated, merged, execute_plan.folded_event_id);
    END IF;
    counts := jsonb_build_object(
        'nodes_added', (SELECT count(*) FROM jsonb_array_elements(new_nodes) AS w WHERE (w.value ->> 'made')::boolean),
        'nodes_repeated', (SELECT count(*) FROM jsonb_array_elements(new_nodes) AS w WHERE NOT (w.value ->> 'made')::boolean),
        'nodes_updated', jsonb_array_length(updated),
        'edges_added', (SELECT count(*) FROM jsonb_array_elements(wanted_edges) AS w WHERE NOT (w.value ->> 'existed')::boolean),
        'edges_reinforced', (SELECT count(*) FROM jsonb_array_elements(wanted_edges) AS w WHERE (w.value ->> 'existed')::boolean));
    IF merged <> '[]' THEN
        counts := counts || jsonb_build_object('nodes_merged', (SELECT sum(jsonb_array_length(m.value -> 'absorbed')) FROM jsonb_array_elements(merged) AS m));
    END IF;
    IF faded <> '[]' THEN
        counts := counts || jsonb_build_object('edges_faded', jsonb_array_length(faded));
    END IF;
    result := jsonb_build_object(
        'plan_id', this_plan,
        'counts', counts,
        'refs', coalesce((SELECT jsonb_object_agg(w.value ->> 'ref', w.value -> 'id') FROM jsonb_array_elements(new_nodes) AS w
                          WHERE w.value ->> 'ref' IS NOT NULL), '{}'));
    IF merged <> '[]' THEN
        result := result || jsonb_build_object('merged', merged);
    END IF;
    INSERT INTO cognifold.plan
        (tenant_id, plan_id, proposer, trigger_event_id, folded_event_id, reasoning, operations, result, as_of, applied_at)
    VALUES (tenant, this_plan, proposer, trigger_event, execute_plan.folded_event_id, coalesce(plan ->> 'reasoning', ''),
            plan -> 'operations', result, clock, recorded);
    INSERT INTO cognifold.journal (tenant_id, plan_id, position, relation, row_key, before)
    SELECT tenant, this_plan, c.ordinality - 1, c.value ->> 'relation', c.value -> 'row_key', NULLIF(c.value -> 'before', 'null')
    FROM jsonb_array_elements(changes) WITH ORDINALITY AS c (value, ordinality);
    RETURN result;
END
$$;
COMMENT ON FUNCTION cognifold.execute_plan(text, jsonb, text, uuid) IS
    'Applies a plan for a proposer (sql, llm, user, consolidate, intent); with folded_event_id it is that event''s fold. Internal: apply_plan and fold call it.';
