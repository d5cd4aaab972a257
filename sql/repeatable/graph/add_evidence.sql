-- add_evidence: what new and repeated evidence edges do to their concepts: mass, strength, count, vector and words.
CREATE OR REPLACE FUNCTION cognifold.add_evidence(
    tenant text, wanted_edges jsonb, new_nodes jsonb, fresh_evidence jsonb, settings jsonb
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    own     cognifold.embedding_model := cognifold.tenant_model(tenant);
    changes jsonb;
BEGIN
    -- Two references a row: the concept as it was, for the journal, and as it becomes: its mass and strength, and what it is about,
    -- the sum of its events' vectors. A concept's row is wide, so all of it is written at once.
    WITH evidence AS (
        SELECT w.target_id AS concept, w.source_id AS event, w.potential, w.position, w.existed AND w.was_inferred AS was_guess, w.inferred AS is_guess
        FROM jsonb_to_recordset(wanted_edges) AS w
            (source_id uuid, target_id uuid, type text, target_kind text, potential double precision, inferred boolean,
             existed boolean, was_inferred boolean, position bigint)
        WHERE w.type IN ('grounds', 'reinforces') AND w.target_kind = 'concept'
          AND NOT (w.inferred AND w.was_inferred)  -- what a guess adds to a stated edge is mass of that edge, but no reinforcement
    ), arrived AS (
        SELECT v.concept, cognifold.logsumexp(v.potential ORDER BY v.potential) AS potential, bool_or(v.was_guess) AS has_guess,
               count(DISTINCT v.event) AS events,
               -- A concept that was there is reinforced once by each operation that says so.
               count(DISTINCT v.position) FILTER (WHERE NOT v.is_guess) AS reinforcements
        FROM evidence AS v GROUP BY v.concept
    ), before AS (
        SELECT c.node_id, c.strength, c.evidence_count, c.evidence_potential
        FROM cognifold.concept_state AS c JOIN arrived AS a ON a.concept = c.node_id WHERE c.tenant_id = tenant
    ), born AS (
        SELECT w.id FROM jsonb_to_recordset(new_nodes) AS w (id uuid, made boolean, kind text) WHERE w.made AND w.kind = 'concept'
    ), fresh AS (
        SELECT f.concept, count(*)::integer AS events, sum(e.vector::vector ORDER BY f.event) AS vectors, count(e.node_id)::integer AS number
        FROM jsonb_to_recordset(fresh_evidence) AS f (concept uuid, event uuid)
        LEFT JOIN cognifold.embedding AS e ON e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'event' AND e.node_id = f.event
        GROUP BY f.concept
    ), changed AS (
        UPDATE cognifold.concept_state AS c
        SET evidence_potential = CASE WHEN a.has_guess
                                      THEN cognifold.evidence_potential(tenant, c.node_id)  -- a guess became a fact: its whole mass counts now
                                      ELSE cognifold.logaddexp(c.evidence_potential, a.potential) END,
            evidence_count = c.evidence_count + CASE WHEN b.id IS NOT NULL THEN a.events ELSE a.reinforcements END,
            strength = CASE WHEN b.id IS NOT NULL THEN c.strength
                            ELSE least(1, c.strength + a.reinforcements * (settings ->> 'concept.strength_step')::double precision) END,
            event_count = c.event_count + coalesce(f.events, 0),
            vector_sum = coalesce(c.vector_sum + f.vectors, c.vector_sum, f.vectors),
            vector_count = c.vector_count + coalesce(f.number, 0)
        FROM arrived AS a LEFT JOIN born AS b ON b.id = a.concept LEFT JOIN fresh AS f ON f.concept = a.concept
        WHERE c.tenant_id = tenant AND c.node_id = a.concept
        RETURNING c.node_id, c.vector_sum, f.number
    ), turned AS (
        INSERT INTO cognifold.embedding AS e (tenant_id, model_id, kind, node_id, dimensions, vector)
        SELECT tenant, own.model_id, 'concept', c.node_id, own.dimensions, l2_normalize(c.vector_sum)::halfvec
        FROM changed AS c WHERE c.number > 0 AND vector_norm(c.vector_sum) > 0
        ON CONFLICT ON CONSTRAINT embedding_pkey DO UPDATE SET vector = excluded.vector
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'relation', 'concept_state', 'node_id', p.node_id, 'before', to_jsonb(p)) ORDER BY p.node_id), '[]')
    INTO changes
    FROM before AS p;

    -- In how many of its events each lexeme stands.
    IF fresh_evidence = '[]' THEN
        RETURN changes;
    END IF;
    INSERT INTO cognifold.concept_lexeme AS l (tenant_id, lexeme, node_id, event_count)
    SELECT tenant, p.lexeme, f.concept, count(*)
    FROM jsonb_to_recordset(fresh_evidence) AS f (concept uuid, event uuid)
    JOIN cognifold.lexical_document AS d ON d.tenant_id = tenant AND d.node_id = f.event
    CROSS JOIN LATERAL unnest(d.lexemes) AS p (lexeme)
    GROUP BY p.lexeme, f.concept
    ON CONFLICT ON CONSTRAINT concept_lexeme_pkey DO UPDATE SET event_count = l.event_count + excluded.event_count;
    RETURN changes;
END
$$;
COMMENT ON FUNCTION cognifold.add_evidence(text, jsonb, jsonb, jsonb, jsonb) IS
    'Adds arrived evidence to its concepts (mass, strength, count, vector, words) and returns the journal entries. Internal: execute_plan calls it.';
