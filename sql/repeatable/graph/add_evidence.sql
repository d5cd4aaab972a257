-- add_evidence: what new and repeated evidence edges do to their concepts: mass, strength, count, vector and words.
CREATE OR REPLACE FUNCTION cognifold.add_evidence(
    tenant text, wanted_edges jsonb, new_nodes jsonb, fresh_evidence jsonb, settings jsonb
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    changes jsonb;
BEGIN
    -- Two references a row: the concept as it was, for the journal, and as it becomes.
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
    ), changed AS (
        UPDATE cognifold.concept_state AS c
        SET evidence_potential = CASE WHEN a.has_guess
                                      THEN cognifold.evidence_potential(tenant, c.node_id)  -- a guess became a fact: its whole mass counts now
                                      ELSE cognifold.logaddexp(c.evidence_potential, a.potential) END,
            evidence_count = c.evidence_count + CASE WHEN b.id IS NOT NULL THEN a.events ELSE a.reinforcements END,
            strength = CASE WHEN b.id IS NOT NULL THEN c.strength
                            ELSE least(1, c.strength + a.reinforcements * (settings ->> 'concept.strength_step')::double precision) END
        FROM arrived AS a LEFT JOIN born AS b ON b.id = a.concept
        WHERE c.tenant_id = tenant AND c.node_id = a.concept
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'relation', 'concept_state', 'node_id', p.node_id, 'before', to_jsonb(p)) ORDER BY p.node_id), '[]')
    INTO changes
    FROM before AS p;

    -- What the concept is about: the sum of its events' vectors, and in how many of its events each lexeme stands.
    IF fresh_evidence = '[]' THEN
        RETURN changes;
    END IF;
    PERFORM cognifold.add_vectors(tenant, fresh_evidence, 1);
    INSERT INTO cognifold.concept_lexeme AS l (tenant_id, lexeme, node_id, event_count)
    SELECT tenant, p.lexeme, f.concept, count(*)
    FROM jsonb_to_recordset(fresh_evidence) AS f (concept uuid, event uuid)
    JOIN cognifold.posting AS p ON p.tenant_id = tenant AND p.node_id = f.event
    GROUP BY p.lexeme, f.concept
    ON CONFLICT ON CONSTRAINT concept_lexeme_pkey DO UPDATE SET event_count = l.event_count + excluded.event_count;
    RETURN changes;
END
$$;
COMMENT ON FUNCTION cognifold.add_evidence(text, jsonb, jsonb, jsonb, jsonb) IS
    'Adds arrived evidence to its concepts (mass, strength, count, vector, words) and returns the journal entries. Internal: execute_plan calls it.';
