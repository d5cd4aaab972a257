-- blot_record: takes out of plans and journal what they hold of what is forgotten, and returns how many plans that were.
--
-- The rows are as they are to be by now: an image of what rested on it becomes what is left, so that nothing of the past shows more than
-- the present does. A plan that is blotted keeps its number, its time and the ids in it, which tell nothing.
CREATE OR REPLACE FUNCTION cognifold.blot_record(
    tenant text, plans uuid[], gone uuid[], shaken uuid[], answered uuid[], told jsonb, clock timestamptz
) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
BEGIN
    -- 1. Rows that are gone for good were never there.
    DELETE FROM cognifold.journal AS j USING unnest(gone) AS g (id) WHERE j.tenant_id = tenant AND j.node_id = g.id;
    DELETE FROM cognifold.journal AS j USING unnest(gone) AS g (id) WHERE j.tenant_id = tenant AND j.other_id = g.id;
    DELETE FROM cognifold.journal AS j USING jsonb_to_recordset(told) AS t (relation text, node_id uuid, part text)
    WHERE t.relation = 'annotation' AND j.tenant_id = tenant AND j.node_id = t.node_id AND j.relation = 'annotation' AND j.part = t.part;
    DELETE FROM cognifold.journal AS j USING unnest(shaken) AS s (id)
    WHERE j.tenant_id = tenant AND j.node_id = s.id AND j.relation = 'intent_action_state'
      AND NOT EXISTS (SELECT FROM cognifold.intent_action_state AS a
                      WHERE a.tenant_id = tenant AND a.node_id = j.node_id AND a.position = j.part::integer);

    -- 2. Images of what stays.
    WITH entry AS MATERIALIZED (   -- found by their nodes: each plan may hold much else
        SELECT j.plan_id, j.position FROM unnest(shaken) AS s (id) JOIN cognifold.journal AS j ON j.tenant_id = tenant AND j.node_id = s.id
        WHERE j.before IS NOT NULL
    )
    UPDATE cognifold.journal AS j
    SET before = j.before || CASE j.relation
        WHEN 'node' THEN (
            SELECT jsonb_build_object('title', n.title, 'reasoning', n.reasoning, 'content', c.content, 'payload', c.payload, 'media', c.media)
            FROM cognifold.node AS n JOIN cognifold.node_text AS c ON c.tenant_id = tenant AND c.node_id = n.id WHERE n.tenant_id = tenant AND n.id = j.node_id)
        WHEN 'concept_state' THEN (
            SELECT jsonb_build_object('strength', s.strength, 'evidence_count', s.evidence_count, 'evidence_potential', s.evidence_potential)
            FROM cognifold.concept_state AS s WHERE s.tenant_id = tenant AND s.node_id = j.node_id)
        WHEN 'annotation' THEN (
            SELECT jsonb_build_object('value', a.value) FROM cognifold.annotation AS a WHERE a.tenant_id = tenant AND a.node_id = j.node_id AND a.name = j.part)
        WHEN 'intent_action_state' THEN (
            SELECT jsonb_build_object('what', a.what, 'due_at', a.due_at, 'event_id', a.event_id)
            FROM cognifold.intent_action_state AS a WHERE a.tenant_id = tenant AND a.node_id = j.node_id AND a.position = j.part::integer)
        WHEN 'intent_state' THEN (
            SELECT jsonb_build_object('deadline', s.deadline, 'expires_at', s.expires_at) FROM cognifold.intent_state AS s
            WHERE s.tenant_id = tenant AND s.node_id = j.node_id)
        WHEN 'graph_edge' THEN jsonb_build_object('metadata', CASE WHEN j.before -> 'metadata' ? 'recurrence'
            THEN jsonb_build_object('recurrence', j.before #> '{metadata,recurrence}') END)
        ELSE '{}' END
    FROM entry AS e
    WHERE e.plan_id = ANY (plans) AND j.tenant_id = tenant AND j.plan_id = e.plan_id AND j.position = e.position;
    UPDATE cognifold.journal AS j
    SET before = j.before || jsonb_build_object('metadata', CASE WHEN j.before -> 'metadata' ? 'recurrence'
        THEN jsonb_build_object('recurrence', j.before #> '{metadata,recurrence}') END)
    FROM jsonb_to_recordset(told) AS t (relation text, node_id uuid, other_id uuid, part text)
    WHERE t.relation = 'graph_edge' AND j.tenant_id = tenant AND j.node_id = t.node_id AND j.relation = 'graph_edge'
      AND j.other_id = t.other_id AND j.part = t.part AND j.before IS NOT NULL;
    UPDATE cognifold.journal AS j SET before = jsonb_set(j.before, '{event_id}', 'null')
    FROM unnest(answered || shaken) AS a (id)
    WHERE j.tenant_id = tenant AND j.node_id = a.id AND j.relation = 'intent_transition' AND (j.before ->> 'event_id')::uuid = ANY (gone);

    -- 3. What was to be done, and why.
    UPDATE cognifold.plan AS p
    SET reasoning = '', operations = cognifold.blotted_operations(p.operations), result = p.result || '{"refs": {}}', forgotten_at = clock
    FROM unnest(plans) AS b (plan_id)
    WHERE p.tenant_id = tenant AND p.plan_id = b.plan_id;
    DELETE FROM cognifold.plan_mention AS m USING unnest(gone) AS g (id) WHERE m.tenant_id = tenant AND m.node_id = g.id;
END
$$;
COMMENT ON FUNCTION cognifold.blot_record(text, uuid[], uuid[], uuid[], uuid[], jsonb, timestamptz) IS
    'Removes the journal entries of rows that are gone, gives images of shaken nodes the words and numbers of today, and leaves of the plans'' operations what blotted_operations leaves. plans: those that are about any of them (plans_about). told: [{relation, node_id, other_id, part}], annotations that are gone, and edges whose metadata is. Internal: forget_nodes calls it.';

CREATE OR REPLACE FUNCTION cognifold.blotted_operations(operations jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    SELECT coalesce(jsonb_agg(
        jsonb_strip_nulls(jsonb_build_object(
            'op', o.body -> 'op', 'type', o.body -> 'type', 'weight', o.body -> 'weight', 'inferred', o.body -> 'inferred',
            'kind', CASE WHEN o.body ->> 'op' = 'ADD_NODE' THEN o.body -> 'kind' END,   -- an insight's kind is a word of its plan
            'annotations', CASE WHEN o.body -> 'annotations' ? 'summary' THEN '{"summary": true}'::jsonb END))
        || coalesce((SELECT jsonb_object_agg(f.key, f.value) FROM jsonb_each(o.body) AS f (key, value)
                     WHERE f.key IN ('source', 'target', 'node', 'survivor', 'insight_id', 'plan') AND cognifold.is_uuid(f.value #>> '{}')), '{}')
        || coalesce((SELECT jsonb_object_agg(f.key, coalesce((SELECT jsonb_agg(i.id) FROM jsonb_array_elements_text(f.value) AS i (id)
                                                              WHERE cognifold.is_uuid(i.id)), '[]'))
                     FROM jsonb_each(o.body) AS f (key, value)
                     WHERE f.key IN ('ids', 'grounded_in') AND jsonb_typeof(f.value) = 'array'), '{}')
        ORDER BY o.place), '[]')
    FROM jsonb_array_elements(operations) WITH ORDINALITY AS o (body, place)
$$;
COMMENT ON FUNCTION cognifold.blotted_operations(jsonb) IS
    'What is left of a plan''s operations when words are taken out, those that refs are made of, too: what sort each is, its weight, and ids. Internal.';
