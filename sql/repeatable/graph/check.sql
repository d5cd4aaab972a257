-- check: every invariant of a tenant's memory, asked of the tables themselves. A sound memory returns no row.
CREATE OR REPLACE FUNCTION cognifold.check(tenant text DEFAULT cognifold.required_tenant())
RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
BEGIN
    RETURN QUERY
    SELECT 'a statement is of an event, at its time', s.event_id::text, format('%s: %s', s.attribute, s.value)
    FROM cognifold.state_statement AS s
    WHERE s.tenant_id = tenant
      AND NOT EXISTS (SELECT FROM cognifold.node AS n
                      WHERE n.tenant_id = tenant AND n.id = s.event_id AND n.kind = 'event' AND n.occurred_at = s.occurred_at)
    UNION ALL
    SELECT 'an attribute has a statement', a.subject, a.attribute
    FROM cognifold.state_attribute AS a
    WHERE a.tenant_id = tenant
      AND NOT EXISTS (SELECT FROM cognifold.state_statement AS s WHERE s.tenant_id = tenant AND s.subject = a.subject AND s.attribute = a.attribute)
    UNION ALL
    SELECT 'an event never changes', n.id::text, 'its digest differs from its content'
    FROM cognifold.node AS n
    LEFT JOIN cognifold.node_content AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
    WHERE n.tenant_id = tenant AND n.kind = 'event'
      AND n.digest IS DISTINCT FROM cognifold.event_digest(c.content, n.title, c.payload, n.occurred_at, n.source, n.actor)
    UNION ALL
    SELECT 'every node has content', n.id::text, n.kind FROM cognifold.node AS n
    WHERE n.tenant_id = tenant
      AND NOT EXISTS (SELECT FROM cognifold.node_content AS c WHERE c.tenant_id = n.tenant_id AND c.node_id = n.id)
    UNION ALL
    SELECT 'an event waits or is folded, never both or neither', n.id::text,
           CASE WHEN w.node_id IS NULL THEN 'neither in the queue nor folded' ELSE 'in the queue and folded' END
    FROM cognifold.node AS n
    LEFT JOIN cognifold.work AS w ON w.tenant_id = n.tenant_id AND w.task = 'fold' AND w.node_id = n.id
    LEFT JOIN cognifold.folded_event AS f ON f.tenant_id = n.tenant_id AND f.event_id = n.id
    WHERE n.tenant_id = tenant AND n.kind = 'event'
      AND (w.node_id IS NOT NULL) = (f.event_id IS NOT NULL)
      -- Neither is right where the fold was undone.
      AND (f.event_id IS NOT NULL OR NOT coalesce((
          SELECT bool_and(p.status = 'undone')
          FROM cognifold.journal AS j JOIN cognifold.plan AS p ON p.tenant_id = j.tenant_id AND p.plan_id = j.plan_id
          WHERE j.tenant_id = tenant AND j.node_id = n.id AND j.relation = 'folded_event' AND p.undoes IS NULL), false))
    UNION ALL
    SELECT 'an event is folded by a plan that is applied', f.event_id::text, format('plan %s is %s', p.plan_id, p.status)
    FROM cognifold.folded_event AS f JOIN cognifold.plan AS p ON p.tenant_id = f.tenant_id AND p.plan_id = f.plan_id
    WHERE f.tenant_id = tenant AND p.status <> 'applied'
    UNION ALL
    SELECT 'plans are numbered without a gap, in order of time', p.plan_id::text, format('version %s after %s', p.version, p.earlier)
    FROM (SELECT p.plan_id, p.version, p.applied_at, lag(p.version, 1, 0::bigint) OVER in_order AS earlier, lag(p.applied_at) OVER in_order AS before
          FROM cognifold.plan AS p WHERE p.tenant_id = tenant WINDOW in_order AS (ORDER BY p.version)) AS p
    WHERE p.version <> p.earlier + 1 OR p.applied_at <= p.before
    UNION ALL
    SELECT 'what a plan made names its plan', n.id::text, n.kind FROM cognifold.node AS n
    WHERE n.tenant_id = tenant AND n.kind <> 'event'
      AND NOT EXISTS (SELECT FROM cognifold.plan AS p WHERE p.tenant_id = tenant AND p.plan_id = n.plan_id)
    UNION ALL
    SELECT 'every edge has a plan', format('%s -> %s', e.source_id, e.target_id), e.type FROM cognifold.graph_edge AS e
    WHERE e.tenant_id = tenant AND NOT EXISTS (SELECT FROM cognifold.plan AS p WHERE p.tenant_id = tenant AND p.plan_id = e.plan_id)
    UNION ALL
    SELECT 'a concept or intent has provenance', n.id::text, n.title FROM cognifold.node AS n
    WHERE n.tenant_id = tenant AND n.kind IN ('concept', 'intent') AND n.merged_into IS NULL
      AND NOT cognifold.has_provenance(tenant, n.id)
    UNION ALL
    SELECT 'every concept has its state', n.id::text, n.title FROM cognifold.node AS n
    WHERE n.tenant_id = tenant AND n.kind = 'concept'
      AND NOT EXISTS (SELECT FROM cognifold.concept_state AS c WHERE c.tenant_id = tenant AND c.node_id = n.id)
    UNION ALL
    SELECT 'evidence mass is the sum of the edges', c.node_id::text,
           format('kept %s, summed %s', c.evidence_potential, cognifold.evidence_potential(tenant, c.node_id))
    FROM cognifold.concept_state AS c
    WHERE c.tenant_id = tenant
      AND coalesce(abs(c.evidence_potential - cognifold.evidence_potential(tenant, c.node_id))
                   > 1e-9 * greatest(1, abs(c.evidence_potential)),
                   (c.evidence_potential IS NULL) <> (cognifold.evidence_potential(tenant, c.node_id) IS NULL))
    UNION ALL
    SELECT 'a concept counts its events', c.node_id::text, format('kept %s, counted %s', c.event_count, coalesce(v.events, 0))
    FROM cognifold.concept_state AS c
    LEFT JOIN (
        SELECT e.target_id, count(DISTINCT e.source_id) AS events FROM cognifold.graph_edge AS e
        WHERE e.tenant_id = tenant AND e.type IN ('grounds', 'reinforces') AND e.target_kind = 'concept' AND NOT e.inferred
        GROUP BY e.target_id
    ) AS v ON v.target_id = c.node_id
    WHERE c.tenant_id = tenant AND c.event_count <> coalesce(v.events, 0)
    UNION ALL
    SELECT 'a concept''s vector is the mean of its events'' vectors', c.node_id::text,
           format('%s of %s vectors, cosine to the mean %s', c.vector_count, v.number, 1 - (v.total <=> c.vector_sum))
    FROM cognifold.concept_state AS c
    CROSS JOIN cognifold.tenant_model(tenant) AS m
    JOIN LATERAL (
        SELECT sum(b.vector::vector) AS total, count(*) AS number
        FROM (SELECT DISTINCT e.source_id FROM cognifold.graph_edge AS e
              WHERE e.tenant_id = tenant AND e.target_id = c.node_id AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred) AS g
        JOIN cognifold.embedding AS b ON b.tenant_id = tenant AND b.model_id = m.model_id AND b.kind = 'event' AND b.node_id = g.source_id
    ) AS v ON true
    WHERE c.tenant_id = tenant
      AND (v.number <> c.vector_count
           OR v.number > 0 AND vector_norm(v.total) > 1e-3 AND coalesce(1 - (v.total <=> c.vector_sum), 0) < 0.999)
    UNION ALL
    SELECT 'a lexeme''s document count is the number of its events', coalesce(f.lexeme, p.lexeme),
           format('kept %s, counted %s', coalesce(f.document_count, 0), coalesce(p.documents, 0))
    FROM (SELECT f.lexeme, f.document_count FROM cognifold.lexeme_frequency AS f WHERE f.tenant_id = tenant) AS f
    FULL JOIN (SELECT p.lexeme, count(*) AS documents FROM cognifold.posting AS p
               WHERE p.tenant_id = tenant AND p.kind = 'event' GROUP BY p.lexeme) AS p ON p.lexeme = f.lexeme
    WHERE coalesce(f.document_count, 0) <> coalesce(p.documents, 0)
    UNION ALL
    SELECT 'the lexical statistics count the indexed events', tenant,
           format('kept %s texts of length %s, counted %s of %s', s.document_count, s.total_length, d.number, d.total)
    FROM cognifold.lexical_statistics AS s
    CROSS JOIN (
        SELECT count(*) AS number, coalesce(sum(d.length), 0) AS total
        FROM cognifold.lexical_document AS d
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = d.node_id AND n.kind = 'event'
        WHERE d.tenant_id = tenant
    ) AS d
    WHERE s.tenant_id = tenant AND (s.document_count, s.total_length) IS DISTINCT FROM (d.number, d.total)
    UNION ALL
    SELECT 'a folded event is indexed', n.id::text, n.title
    FROM cognifold.folded_event AS f
    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = f.event_id
    WHERE f.tenant_id = tenant
      AND NOT EXISTS (SELECT FROM cognifold.lexical_document AS d WHERE d.tenant_id = tenant AND d.node_id = n.id)
    UNION ALL
    SELECT 'a merged concept points at one that is not merged', n.id::text, n.title
    FROM cognifold.node AS n JOIN cognifold.node AS s ON s.tenant_id = n.tenant_id AND s.id = n.merged_into
    WHERE n.tenant_id = tenant AND s.merged_into IS NOT NULL
    UNION ALL
    SELECT 'the vectors of a model are counted', coalesce(c.model_id, e.model_id)::text,
           format('kept %s and %s, counted %s and %s', c.events, c.concepts, e.events, e.others)
    FROM (SELECT c.model_id, c.events, c.concepts FROM cognifold.vector_count AS c WHERE c.tenant_id = tenant) AS c
    FULL JOIN (SELECT e.model_id, count(*) FILTER (WHERE e.kind = 'event') AS events, count(*) FILTER (WHERE e.kind <> 'event') AS others
               FROM cognifold.embedding AS e WHERE e.tenant_id = tenant GROUP BY e.model_id) AS e ON e.model_id = c.model_id
    WHERE (coalesce(c.events, 0), coalesce(c.concepts, 0)) IS DISTINCT FROM (coalesce(e.events, 0), coalesce(e.others, 0))
    UNION ALL
    SELECT 'a vector of a large memory is in the index or in the tail', coalesce(e.node_id, x.node_id)::text, format('model %s: %s times', x.model_id, coalesce(x.times, 0))
    FROM (SELECT e.model_id, e.kind, e.node_id, e.vector || c.signature AS place
          FROM cognifold.vector_count AS c JOIN cognifold.embedding AS e ON e.tenant_id = tenant AND e.model_id = c.model_id
          WHERE c.tenant_id = tenant AND c.indexed) AS e
    FULL JOIN (SELECT u.model_id, u.kind, u.node_id, count(*) AS times, (array_agg(u.place))[1] AS place
               FROM (SELECT t.model_id, t.kind, t.node_id, t.place FROM cognifold.vector_tail AS t WHERE t.tenant_id = tenant
                     UNION ALL
                     SELECT i.model_id, i.kind, i.node_id, i.place FROM cognifold.vector_index AS i WHERE i.tenant_id = tenant) AS u
               GROUP BY u.model_id, u.kind, u.node_id) AS x ON x.model_id = e.model_id AND x.kind = e.kind AND x.node_id = e.node_id
    WHERE x.times IS DISTINCT FROM 1 OR e.place IS DISTINCT FROM x.place
    UNION ALL
    SELECT r.invariant, r.subject, r.detail FROM cognifold.rank_faults(tenant) AS r;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.check(text) IS
    'Every invariant of the tenant''s memory that does not hold: which, where, how. No row means sound. Reads everything: for tests, restores and doubts, not for each request.';
