-- merge_nodes: several concepts become one. The survivor takes over edges, evidence and accesses; the others' ids resolve to it.
CREATE OR REPLACE FUNCTION cognifold.merge_nodes(
    tenant text, ids uuid[], survivor uuid, clock timestamptz, settings jsonb
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    members  uuid[] := ARRAY(SELECT DISTINCT cognifold.resolve_node(tenant, i.id) FROM unnest(ids) AS i (id));
    kept     uuid := cognifold.resolve_node(tenant, survivor);
    absorbed uuid[];
    edges    jsonb;           -- one object a key of the new edges: the row it becomes (NULL: a loop) and the rows it is made of
    changes  jsonb := '[]';
    made     jsonb;
BEGIN
    IF cardinality(members) < 2 THEN
        RETURN jsonb_build_object('survivor', members[1], 'absorbed', '[]'::jsonb, 'changes', '[]'::jsonb);
    END IF;
    IF kept IS NULL THEN
        SELECT n.id INTO STRICT kept
        FROM cognifold.node AS n
        JOIN cognifold.concept_state AS c ON c.tenant_id = tenant AND c.node_id = n.id
        LEFT JOIN cognifold.node_state AS s ON s.tenant_id = tenant AND s.node_id = n.id
        WHERE n.tenant_id = tenant AND n.id = ANY (members)
        ORDER BY coalesce(s.access_count, 0) DESC, c.evidence_count DESC, n.occurred_at, n.id
        LIMIT 1;
    END IF;
    absorbed := array_remove(members, kept);

    -- 1. Edges: those of the absorbed, and those of the survivor that they fall together with.
    WITH touched AS MATERIALIZED (
        SELECT e.* FROM cognifold.graph_edge AS e WHERE e.tenant_id = tenant AND e.source_id = ANY (members)
        UNION
        SELECT e.* FROM cognifold.graph_edge AS e WHERE e.tenant_id = tenant AND e.target_id = ANY (members)
    ), pointed AS (
        SELECT t.*, CASE WHEN t.source_id = ANY (absorbed) THEN kept ELSE t.source_id END AS new_source,
                    CASE WHEN t.target_id = ANY (absorbed) THEN kept ELSE t.target_id END AS new_target,
                    t.source_id <> ALL (absorbed) AND t.target_id <> ALL (absorbed) AS stays
        FROM touched AS t
    ), joined AS (
        SELECT p.new_source, p.new_target, p.type, p.source_kind, p.target_kind, p.rate,
               cognifold.logsumexp(p.potential ORDER BY p.potential) AS potential, max(p.stamped_at) AS stamped_at,
               min(p.created_at) AS created_at, bool_and(p.inferred) AS inferred, bool_or(p.bidirectional) AS bidirectional,
               CASE WHEN bool_and(p.faded_at IS NOT NULL) THEN max(p.faded_at) END AS faded_at,
               (array_agg(p.metadata ORDER BY p.stays DESC, p.created_at, p.source_id, p.target_id) FILTER (WHERE p.metadata IS NOT NULL))[1] AS metadata,
               (array_agg(p.plan_id ORDER BY p.stays DESC, p.created_at, p.source_id, p.target_id))[1] AS plan_id,
               bool_or(p.stays) AS is_there,
               jsonb_agg(to_jsonb(p) - 'tenant_id' - 'new_source' - 'new_target' - 'stays' ORDER BY p.source_id, p.target_id) AS parts
        FROM pointed AS p
        GROUP BY p.new_source, p.new_target, p.type, p.source_kind, p.target_kind, p.rate
        HAVING NOT bool_and(p.stays)
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'parts', j.parts, 'is_there', j.is_there,
               'becomes', CASE WHEN j.new_source <> j.new_target THEN jsonb_build_object(
                   'source_id', j.new_source, 'target_id', j.new_target, 'type', j.type, 'source_kind', j.source_kind, 'target_kind', j.target_kind,
                   'rate', j.rate, 'potential', j.potential, 'stamped_at', j.stamped_at, 'created_at', j.created_at, 'inferred', j.inferred,
                   'bidirectional', j.bidirectional, 'metadata', j.metadata, 'plan_id', j.plan_id,
                   -- Two that had faded apart may weigh enough together.
                   'faded_at', CASE WHEN j.potential < b.bar THEN j.faded_at END) END)
               ORDER BY j.new_source, j.new_target, j.type), '[]')
    INTO edges
    FROM joined AS j
    JOIN cognifold.fading_bars(tenant, clock) AS b ON b.rate = j.rate;

    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'relation', 'graph_edge', 'node_id', c.row -> 'source_id', 'other_id', c.row -> 'target_id', 'part', c.row -> 'type',
               'before', c.before) ORDER BY c.place, c.part), '[]')
    INTO made
    FROM (
        SELECT e.ordinality AS place, p.ordinality AS part, p.value AS before, p.value AS row
        FROM jsonb_array_elements(edges) WITH ORDINALITY AS e (value, ordinality)
        CROSS JOIN LATERAL jsonb_array_elements(e.value -> 'parts') WITH ORDINALITY AS p (value, ordinality)
        UNION ALL
        SELECT e.ordinality, 0, NULL, e.value -> 'becomes'
        FROM jsonb_array_elements(edges) WITH ORDINALITY AS e (value, ordinality)
        WHERE NOT (e.value ->> 'is_there')::boolean AND e.value -> 'becomes' <> 'null'
    ) AS c;
    changes := changes || made;

    DELETE FROM cognifold.graph_edge AS g
    USING jsonb_array_elements(edges) AS e
    CROSS JOIN LATERAL jsonb_to_recordset(e.value -> 'parts') AS p (source_id uuid, target_id uuid, type text)
    WHERE g.tenant_id = tenant AND g.source_id = p.source_id AND g.target_id = p.target_id AND g.type = p.type;
    INSERT INTO cognifold.graph_edge
        (tenant_id, source_id, target_id, type, source_kind, target_kind, rate, potential, stamped_at, created_at, inferred, bidirectional,
         faded_at, metadata, plan_id)
    SELECT tenant, r.source_id, r.target_id, r.type, r.source_kind, r.target_kind, r.rate, r.potential, r.stamped_at, r.created_at, r.inferred,
           r.bidirectional, r.faded_at, NULLIF(r.metadata, 'null'), r.plan_id
    FROM jsonb_array_elements(edges) AS e
    CROSS JOIN LATERAL jsonb_populate_record(NULL::cognifold.graph_edge, e.value -> 'becomes') AS r
    WHERE e.value -> 'becomes' <> 'null';

    -- 2. Ids: whatever led to an absorbed concept leads to the survivor in one step.
    SELECT changes || cognifold.row_images(tenant, jsonb_agg(jsonb_build_object('relation', 'node', 'node_id', n.id) ORDER BY n.id))
    INTO changes
    FROM cognifold.node AS n WHERE n.tenant_id = tenant AND (n.id = ANY (absorbed) OR n.merged_into = ANY (absorbed));
    UPDATE cognifold.node AS n SET merged_into = kept
    WHERE n.tenant_id = tenant AND (n.id = ANY (absorbed) OR n.merged_into = ANY (absorbed));

    -- 3. State: the counts add up, and each concept that agrees strengthens the survivor like one more reinforcement.
    WITH before AS (
        SELECT c.node_id, c.strength, c.evidence_count, c.evidence_potential
        FROM cognifold.concept_state AS c WHERE c.tenant_id = tenant AND c.node_id = ANY (members)
    ), changed AS (
        UPDATE cognifold.concept_state AS c
        SET evidence_count = CASE WHEN c.node_id = kept THEN s.evidence_count ELSE 0 END,
            strength = CASE WHEN c.node_id = kept
                            THEN least(1, s.strength + cardinality(absorbed) * (settings ->> 'concept.strength_step')::double precision)
                            ELSE c.strength END
        FROM (SELECT sum(b.evidence_count) AS evidence_count, max(b.strength) AS strength FROM before AS b) AS s
        WHERE c.tenant_id = tenant AND c.node_id = ANY (members)
    )
    SELECT jsonb_agg(jsonb_build_object('relation', 'concept_state', 'node_id', b.node_id, 'before', to_jsonb(b)) ORDER BY b.node_id)
    INTO made FROM before AS b;
    changes := changes || made;
    PERFORM cognifold.refresh_concept(tenant, m.id) FROM unnest(members) AS m (id);

    -- 4. What was learned about the absorbed is known of the survivor, where nothing else of that name is; insights rest on it.
    SELECT changes || cognifold.row_images(tenant, coalesce(jsonb_agg(k.key), '[]'))
    INTO changes
    FROM (
        SELECT jsonb_build_object('relation', 'annotation', 'node_id', m.id, 'part', a.name) AS key
        FROM cognifold.annotation AS a
        CROSS JOIN LATERAL (VALUES (a.node_id), (kept)) AS m (id)
        WHERE a.tenant_id = tenant AND a.node_id = ANY (absorbed)
        UNION ALL
        SELECT jsonb_build_object('relation', 'insight_state', 'node_id', i.insight_id, 'other_id', i.node_id, 'part', i.kind)
        FROM (SELECT i.* FROM cognifold.insight_state AS i WHERE i.tenant_id = tenant AND i.node_id = ANY (absorbed)
              UNION
              SELECT i.* FROM cognifold.insight_state AS i WHERE i.tenant_id = tenant AND i.from_concepts AND i.derived_from && absorbed) AS i
    ) AS k;
    WITH taken AS (
        DELETE FROM cognifold.annotation AS a
        USING (SELECT DISTINCT ON (b.name) b.node_id, b.name
               FROM cognifold.annotation AS b
               WHERE b.tenant_id = tenant AND b.node_id = ANY (absorbed)
                 AND NOT EXISTS (SELECT FROM cognifold.annotation AS o WHERE o.tenant_id = tenant AND o.node_id = kept AND o.name = b.name)
               ORDER BY b.name, b.created_at DESC, b.node_id) AS first
        WHERE a.tenant_id = tenant AND a.node_id = first.node_id AND a.name = first.name
        RETURNING a.*
    )
    INSERT INTO cognifold.annotation (tenant_id, node_id, name, value, plan_id, created_at)
    SELECT tenant, kept, t.name, t.value, t.plan_id, t.created_at FROM taken AS t;
    UPDATE cognifold.insight_state AS i
    SET derived_from = ARRAY(SELECT d.id FROM (SELECT DISTINCT CASE WHEN u.id = ANY (absorbed) THEN kept ELSE u.id END AS id
                                               FROM unnest(i.derived_from) AS u (id)) AS d ORDER BY d.id)
    WHERE i.tenant_id = tenant AND i.from_concepts AND i.derived_from && absorbed;
    -- One finding a concept, kind and aspect: of several the survivor's own stands, else the one stated last.
    UPDATE cognifold.insight_state AS i
    SET closed_at = CASE WHEN i.closed_at IS NULL AND o.rank > 1 THEN greatest(clock, i.as_of) ELSE i.closed_at END, node_id = kept
    FROM (SELECT o.insight_id,
                 row_number() OVER (PARTITION BY o.closed_at IS NULL, o.kind, o.aspect
                                    ORDER BY o.node_id = kept DESC, o.as_of DESC, o.insight_id) AS rank
          FROM cognifold.insight_state AS o WHERE o.tenant_id = tenant AND o.node_id = ANY (members)) AS o
    WHERE i.tenant_id = tenant AND i.insight_id = o.insight_id AND i.node_id <> kept;

    -- 5. Accesses add up; the absorbed keep their own count, so that an undo can take it off again.
    INSERT INTO cognifold.node_state AS s (tenant_id, node_id, access_count, last_accessed)
    SELECT tenant, kept, sum(a.access_count), max(a.last_accessed)
    FROM cognifold.node_state AS a
    WHERE a.tenant_id = tenant AND a.node_id = ANY (absorbed)
    HAVING sum(a.access_count) > 0
    ON CONFLICT ON CONSTRAINT node_state_pkey DO UPDATE
        SET access_count = s.access_count + excluded.access_count, last_accessed = greatest(s.last_accessed, excluded.last_accessed);

    -- 6. Search no longer finds the absorbed: refresh_concept has taken the vector, its words go here.
    DELETE FROM cognifold.lexical_document AS d WHERE d.tenant_id = tenant AND d.node_id = ANY (absorbed);
    DELETE FROM cognifold.consolidation_dirty AS d WHERE d.tenant_id = tenant AND d.kind = 'concept' AND d.node_id = ANY (absorbed);

    RETURN jsonb_build_object('survivor', kept, 'absorbed', to_jsonb(absorbed), 'changes', changes);
END
$$;
COMMENT ON FUNCTION cognifold.merge_nodes(text, uuid[], uuid, timestamptz, jsonb) IS
    'Merges concepts into the survivor (NULL: the most accessed, then of most evidence, then the oldest) and returns {survivor, absorbed, changes}, changes being the journal entries. Edges of one key become one whose mass is the sum; loops go; evidence counts and accesses add up; strength becomes the largest plus one step for each absorbed concept, at most 1. What is derived (vector, words, evidence mass) is made anew. Internal: execute_plan calls it for MERGE_NODES.';
