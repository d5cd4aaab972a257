-- fold_request: what a model is told about waiting events: themselves, and what the memory holds near them.
CREATE OR REPLACE FUNCTION cognifold.fold_request(
    event_ids uuid[], tenant text DEFAULT cognifold.required_tenant()
) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous   text := cognifold.enter_tenant(tenant);
    unknown    uuid;
    request    jsonb;
    nodes      integer := cognifold.setting('fold.context', tenant)::integer;
    candidates integer := cognifold.setting('fold.candidates', tenant)::integer;
BEGIN
    SELECT e.id INTO unknown FROM unnest(event_ids) AS e (id)
    WHERE NOT EXISTS (SELECT FROM cognifold.node AS n WHERE n.tenant_id = fold_request.tenant AND n.kind = 'event' AND n.id = e.id);
    IF FOUND OR coalesce(cardinality(event_ids), 0) = 0 THEN
        RAISE EXCEPTION 'event % is not known to tenant "%"', coalesce(unknown::text, 'NULL'), tenant
            USING ERRCODE = 'CF021', HINT = 'claim_folds returns the ids of events that wait.';
    END IF;
    SELECT jsonb_build_object(
        'tenant', t.tenant_id,
        'time_zone', t.time_zone,
        'version', coalesce((SELECT max(p.version) FROM cognifold.plan AS p WHERE p.tenant_id = t.tenant_id), 0),
        'events', (SELECT jsonb_agg(jsonb_build_object(
                              'id', n.id, 'title', n.title, 'content', c.content, 'occurred_at', n.occurred_at, 'actor', n.actor,
                              'source', n.source, 'payload', c.payload) ORDER BY n.occurred_at, n.id)
                   FROM cognifold.node AS n
                   JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
                   WHERE n.tenant_id = t.tenant_id AND n.id = ANY (event_ids)),
        'context', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                               'id', b.node_id, 'kind', b.kind, 'title', b.title, 'content', b.content, 'occurred_at', b.occurred_at,
                               'evidence_count', s.evidence_count, 'score', b.score) ORDER BY b.place), '[]')
                    FROM (SELECT w.*, row_number() OVER (ORDER BY w.ordinality) AS place
                          FROM cognifold.context_window(nodes + cardinality(event_ids), NULL, t.tenant_id) WITH ORDINALITY AS w
                          WHERE w.node_id <> ALL (event_ids)) AS b
                    LEFT JOIN cognifold.concept_state AS s ON s.tenant_id = t.tenant_id AND s.node_id = b.node_id
                    WHERE b.place <= nodes),
        'candidates', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                                  'id', n.id, 'kind', n.kind, 'title', n.title, 'content', c.content, 'occurred_at', n.occurred_at,
                                  'evidence_count', s.evidence_count, 'score', r.likeness) ORDER BY r.likeness DESC, n.occurred_at, n.id), '[]')
                       FROM cognifold.near_concepts(t.tenant_id, event_ids, candidates) AS r
                       JOIN cognifold.node AS n ON n.tenant_id = t.tenant_id AND n.id = r.node_id
                       JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
                       JOIN cognifold.concept_state AS s ON s.tenant_id = n.tenant_id AND s.node_id = n.id))
    INTO STRICT request
    FROM cognifold.tenant AS t
    WHERE t.tenant_id = fold_request.tenant;
    PERFORM cognifold.leave_tenant(previous);
    RETURN request;
END
$$;
COMMENT ON FUNCTION cognifold.fold_request(uuid[], text) IS
    'What an outside planner may know when it folds these events, of one moment: {tenant, time_zone, version: of the graph, for apply_claimed, events: [{id, title, content, occurred_at, actor, source, payload}] oldest first, context: the context window without them (setting fold.context), candidates: the concepts nearest to them (setting fold.candidates)}; a node is {id, kind, title, content, occurred_at, evidence_count, score}. Writes nothing. Raises CF021 for an id that is no event of the tenant.';
