-- restore_rows: makes journaled rows be as they were: puts back what is gone, takes away what was not there.
CREATE OR REPLACE FUNCTION cognifold.restore_rows(tenant text, images jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    concepts uuid[];  -- what they rest on may have changed, and with it all that is derived from that
    reworded uuid[];  -- their words may have changed
BEGIN
    -- 1. Accesses that a merge had added to the survivor go back to the concept that made them, and the other way round.
    UPDATE cognifold.node_state AS s
    SET access_count = greatest(0, s.access_count + m.accesses)
    FROM (
        SELECT t.survivor, sum(t.sign * a.access_count)::bigint AS accesses
        FROM jsonb_to_recordset(images) AS i (relation text, node_id uuid, before jsonb)
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = i.node_id
        CROSS JOIN LATERAL (VALUES (n.merged_into, -1, i.before -> 'merged_into' = 'null'),
                                   ((i.before ->> 'merged_into')::uuid, 1, n.merged_into IS NULL)) AS t (survivor, sign, moves)
        JOIN cognifold.node_state AS a ON a.tenant_id = tenant AND a.node_id = n.id
        WHERE i.relation = 'node' AND t.survivor IS NOT NULL AND t.moves
        GROUP BY t.survivor
    ) AS m
    WHERE s.tenant_id = tenant AND s.node_id = m.survivor AND m.accesses <> 0;

    -- 2. What hangs on nodes goes, to be put back as it was.
    DELETE FROM cognifold.graph_edge AS e USING jsonb_to_recordset(images) AS i (relation text, node_id uuid, other_id uuid, part text)
    WHERE i.relation = 'graph_edge' AND e.tenant_id = tenant AND e.source_id = i.node_id AND e.target_id = i.other_id AND e.type = i.part;
    DELETE FROM cognifold.annotation AS a USING jsonb_to_recordset(images) AS i (relation text, node_id uuid, part text)
    WHERE i.relation = 'annotation' AND a.tenant_id = tenant AND a.node_id = i.node_id AND a.name = i.part;
    DELETE FROM cognifold.insight_state AS n USING jsonb_to_recordset(images) AS i (relation text, node_id uuid)
    WHERE i.relation = 'insight_state' AND n.tenant_id = tenant AND n.insight_id = i.node_id;
    DELETE FROM cognifold.folded_event AS f USING jsonb_to_recordset(images) AS i (relation text, node_id uuid)
    WHERE i.relation = 'folded_event' AND f.tenant_id = tenant AND f.event_id = i.node_id;
    DELETE FROM cognifold.intent_transition AS t USING jsonb_to_recordset(images) AS i (relation text, node_id uuid, part text)
    WHERE i.relation = 'intent_transition' AND t.tenant_id = tenant AND t.node_id = i.node_id AND t.position = i.part::integer;
    DELETE FROM cognifold.intent_action_state AS a USING jsonb_to_recordset(images) AS i (relation text, node_id uuid, part text)
    WHERE i.relation = 'intent_action_state' AND a.tenant_id = tenant AND a.node_id = i.node_id AND a.position = i.part::integer;
    DELETE FROM cognifold.intent_feedback AS f USING jsonb_to_recordset(images) AS i (relation text, node_id uuid, other_id uuid, part text)
    WHERE i.relation = 'intent_feedback' AND f.tenant_id = tenant AND f.node_id = i.node_id AND f.event_id = i.other_id AND f.category = i.part;

    -- 3. Nodes that were not there go, with all that is theirs: a moment may have been made anew.
    DELETE FROM cognifold.node AS n USING jsonb_to_recordset(images) AS i (relation text, node_id uuid, before jsonb)
    WHERE i.relation = 'node' AND coalesce(i.before, 'null') = 'null' AND n.tenant_id = tenant AND n.id = i.node_id;

    -- 4. Nodes, with their content. The words of a concept that was merged away are no longer searched.
    INSERT INTO cognifold.node AS n (
        tenant_id, id, kind, memory_type, title, source, actor, source_agent, occurred_at, ended_at, occurred_precision, recorded_at,
        emotional_weight, valence, arousal, affect_inferred, asks, privacy_level, reasoning, digest, idempotency_key, merged_into, plan_id)
    SELECT tenant, r.id, r.kind, r.memory_type, r.title, r.source, r.actor, r.source_agent, r.occurred_at, r.ended_at, r.occurred_precision,
           r.recorded_at, r.emotional_weight, r.valence, r.arousal, r.affect_inferred, r.asks, r.privacy_level, r.reasoning, r.digest, r.idempotency_key,
           r.merged_into, r.plan_id
    FROM jsonb_to_recordset(images) AS i (relation text, before jsonb)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.node, i.before) AS r
    WHERE i.relation = 'node' AND i.before <> 'null'
    ON CONFLICT ON CONSTRAINT node_pkey DO UPDATE
        SET title = excluded.title, memory_type = excluded.memory_type, privacy_level = excluded.privacy_level, reasoning = excluded.reasoning,
            merged_into = excluded.merged_into;
    INSERT INTO cognifold.node_content AS c (tenant_id, node_id, content, payload, media)
    SELECT tenant, i.node_id, i.before ->> 'content', NULLIF(i.before -> 'payload', 'null'), NULLIF(i.before -> 'media', 'null')
    FROM jsonb_to_recordset(images) AS i (relation text, node_id uuid, before jsonb)
    WHERE i.relation = 'node' AND i.before <> 'null'
    ON CONFLICT ON CONSTRAINT node_content_pkey DO UPDATE SET content = excluded.content, payload = excluded.payload;

    -- 5. What stands with them.
    INSERT INTO cognifold.concept_state AS s (tenant_id, node_id, strength, evidence_count, evidence_potential)
    SELECT tenant, r.node_id, r.strength, r.evidence_count, r.evidence_potential
    FROM jsonb_to_recordset(images) AS i (relation text, before jsonb)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.concept_state, i.before) AS r
    WHERE i.relation = 'concept_state' AND i.before <> 'null'
    ON CONFLICT ON CONSTRAINT concept_state_pkey DO UPDATE
        SET strength = excluded.strength, evidence_count = excluded.evidence_count, evidence_potential = excluded.evidence_potential;
    INSERT INTO cognifold.node_state (
        tenant_id, node_id, access_count, last_accessed, replay_count, integration_score, consolidation_state, due_at)
    SELECT tenant, r.node_id, r.access_count, r.last_accessed, r.replay_count, r.integration_score, r.consolidation_state, r.due_at
    FROM jsonb_to_recordset(images) AS i (relation text, before jsonb)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.node_state, i.before) AS r
    WHERE i.relation = 'node_state' AND i.before <> 'null'
    ON CONFLICT DO NOTHING;
    INSERT INTO cognifold.intent_state AS s (
        tenant_id, node_id, status, wake_at, closed_at, category, density, pressure, readiness, theta, deadline, expires_at)
    SELECT tenant, r.node_id, r.status, r.wake_at, r.closed_at, r.category, r.density, r.pressure, r.readiness, r.theta, r.deadline, r.expires_at
    FROM jsonb_to_recordset(images) AS i (relation text, before jsonb)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.intent_state, i.before) AS r
    WHERE i.relation = 'intent_state' AND i.before <> 'null'
    ON CONFLICT ON CONSTRAINT intent_state_pkey DO UPDATE
        SET status = excluded.status, wake_at = excluded.wake_at, closed_at = excluded.closed_at, category = excluded.category,
            density = excluded.density, pressure = excluded.pressure, readiness = excluded.readiness, theta = excluded.theta,
            deadline = excluded.deadline, expires_at = excluded.expires_at;
    INSERT INTO cognifold.annotation (tenant_id, node_id, name, value, plan_id, created_at)
    SELECT tenant, r.node_id, r.name, r.value, r.plan_id, r.created_at
    FROM jsonb_to_recordset(images) AS i (relation text, before jsonb)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.annotation, i.before) AS r
    WHERE i.relation = 'annotation' AND i.before <> 'null';
    INSERT INTO cognifold.insight_state (
        tenant_id, insight_id, node_id, kind, aspect, insight, confidence, abstraction_level, derived_from, from_concepts, figures, as_of, closed_at,
        plan_id, created_at)
    SELECT tenant, r.insight_id, r.node_id, r.kind, r.aspect, r.insight, r.confidence, r.abstraction_level, r.derived_from, r.from_concepts, r.figures,
           r.as_of, r.closed_at, r.plan_id, r.created_at
    FROM jsonb_to_recordset(images) AS i (relation text, before jsonb)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.insight_state, i.before) AS r
    WHERE i.relation = 'insight_state' AND i.before <> 'null';
    INSERT INTO cognifold.graph_edge (
        tenant_id, source_id, target_id, type, source_kind, target_kind, rate, potential, stamped_at, created_at, inferred, bidirectional,
        faded_at, metadata, plan_id)
    SELECT tenant, r.source_id, r.target_id, r.type, r.source_kind, r.target_kind, r.rate, r.potential, r.stamped_at, r.created_at, r.inferred,
           r.bidirectional, r.faded_at, NULLIF(r.metadata, 'null'), r.plan_id
    FROM jsonb_to_recordset(images) AS i (relation text, before jsonb)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.graph_edge, i.before) AS r
    WHERE i.relation = 'graph_edge' AND i.before <> 'null';
    INSERT INTO cognifold.folded_event (tenant_id, event_id, plan_id)
    SELECT tenant, r.event_id, r.plan_id
    FROM jsonb_to_recordset(images) AS i (relation text, before jsonb)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.folded_event, i.before) AS r
    WHERE i.relation = 'folded_event' AND i.before <> 'null';
    -- What is folded again does not wait.
    DELETE FROM cognifold.work AS w USING jsonb_to_recordset(images) AS i (relation text, node_id uuid, before jsonb)
    WHERE i.relation = 'folded_event' AND i.before <> 'null' AND w.tenant_id = tenant AND w.task = 'fold' AND w.node_id = i.node_id;
    INSERT INTO cognifold.intent_transition (tenant_id, node_id, position, from_status, to_status, at, wake_at, event_id, plan_id, recorded_at)
    SELECT tenant, r.node_id, r.position, r.from_status, r.to_status, r.at, r.wake_at, r.event_id, r.plan_id, r.recorded_at
    FROM jsonb_to_recordset(images) AS i (relation text, before jsonb)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.intent_transition, i.before) AS r
    WHERE i.relation = 'intent_transition' AND i.before <> 'null';
    INSERT INTO cognifold.intent_action_state (tenant_id, node_id, position, what, due_at, status, proposer, event_id, as_of, plan_id)
    SELECT tenant, r.node_id, r.position, r.what, r.due_at, r.status, r.proposer, r.event_id, r.as_of, r.plan_id
    FROM jsonb_to_recordset(images) AS i (relation text, before jsonb)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.intent_action_state, i.before) AS r
    WHERE i.relation = 'intent_action_state' AND i.before <> 'null';
    INSERT INTO cognifold.intent_feedback (tenant_id, category, at, event_id, node_id, answer, w, plan_id)
    SELECT tenant, r.category, r.at, r.event_id, r.node_id, r.answer, r.w, r.plan_id
    FROM jsonb_to_recordset(images) AS i (relation text, before jsonb)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.intent_feedback, i.before) AS r
    WHERE i.relation = 'intent_feedback' AND i.before <> 'null';

    -- 6. What is derived follows: words and vectors.
    SELECT array_agg(i.node_id) INTO reworded
    FROM jsonb_to_recordset(images) AS i (relation text, node_id uuid, before jsonb) WHERE i.relation = 'node' AND i.before <> 'null';
    DELETE FROM cognifold.lexical_document AS d WHERE d.tenant_id = tenant AND d.node_id = ANY (reworded);
    PERFORM cognifold.index_node(tenant, n.id)
    FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = ANY (reworded) AND n.kind <> 'event' AND n.merged_into IS NULL;
    SELECT array_agg(DISTINCT s.node_id) INTO concepts
    FROM jsonb_to_recordset(images) AS i (relation text, node_id uuid, other_id uuid)
    JOIN cognifold.concept_state AS s ON s.tenant_id = tenant
         AND s.node_id = CASE i.relation WHEN 'concept_state' THEN i.node_id WHEN 'graph_edge' THEN i.other_id END;
    PERFORM cognifold.refresh_concept(tenant, c.id) FROM unnest(concepts) AS c (id);
    -- To the last bit: a sum made anew may differ in it.
    UPDATE cognifold.concept_state AS s SET evidence_potential = r.evidence_potential
    FROM jsonb_to_recordset(images) AS i (relation text, before jsonb)
    CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.concept_state, i.before) AS r
    WHERE i.relation = 'concept_state' AND i.before <> 'null' AND s.tenant_id = tenant AND s.node_id = r.node_id
      AND s.evidence_potential IS DISTINCT FROM r.evidence_potential;
END
$$;
COMMENT ON FUNCTION cognifold.restore_rows(text, jsonb) IS
    'Gives the rows of journal entries [{relation, node_id, other_id, part, before}] the state before says, null meaning no row, and makes anew what is derived from them. Internal: take_back calls it.';
