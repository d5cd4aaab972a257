-- refresh_concept: makes everything that is derived from a concept's evidence anew from the edges that are there.
CREATE OR REPLACE FUNCTION cognifold.refresh_concept(tenant text, concept uuid) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    own    cognifold.embedding_model := cognifold.tenant_model(tenant);
    events uuid[] := ARRAY(
        SELECT DISTINCT e.source_id FROM cognifold.graph_edge AS e
        WHERE e.tenant_id = tenant AND e.target_id = concept AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred);
    total  vector;
    number integer;
BEGIN
    SELECT sum(b.vector::vector ORDER BY b.node_id), count(*) INTO total, number
    FROM unnest(events) AS v (id)
    JOIN cognifold.embedding AS b ON b.tenant_id = tenant AND b.model_id = own.model_id AND b.kind = 'event' AND b.node_id = v.id;

    UPDATE cognifold.concept_state AS c
    SET evidence_potential = cognifold.evidence_potential(tenant, concept), event_count = cardinality(events),
        vector_sum = total, vector_count = number
    WHERE c.tenant_id = tenant AND c.node_id = concept;

    IF vector_norm(total) > 0 THEN
        INSERT INTO cognifold.embedding AS e (tenant_id, model_id, kind, node_id, dimensions, vector)
        VALUES (tenant, own.model_id, 'concept', concept, own.dimensions, l2_normalize(total)::halfvec)
        ON CONFLICT ON CONSTRAINT embedding_pkey DO UPDATE SET vector = excluded.vector;
    ELSE
        DELETE FROM cognifold.embedding AS e WHERE e.tenant_id = tenant AND e.node_id = concept;
    END IF;

    DELETE FROM cognifold.concept_lexeme AS l WHERE l.tenant_id = tenant AND l.node_id = concept;
    INSERT INTO cognifold.concept_lexeme (tenant_id, lexeme, node_id, event_count)
    SELECT tenant, p.lexeme, concept, count(*)
    FROM unnest(events) AS v (id)
    JOIN cognifold.posting AS p ON p.tenant_id = tenant AND p.node_id = v.id
    GROUP BY p.lexeme;
END
$$;
COMMENT ON FUNCTION cognifold.refresh_concept(text, uuid) IS
    'Recomputes a concept''s evidence mass, event count, vector and words from its stated grounds and reinforces edges: after a merge, a removal, an undo. Strength and evidence count are history and stay. Internal.';
