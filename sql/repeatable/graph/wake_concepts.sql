-- wake_concepts: what new evidence does to a dormant concept: the strongest thing it ever rested on comes back.
CREATE OR REPLACE FUNCTION cognifold.wake_concepts(tenant text, wanted_edges jsonb, moment timestamptz, settings jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    woken   jsonb;  -- {node_id, potential, edge}: the edge as it was
    changes jsonb;
BEGIN
    WITH bar AS MATERIALIZED (
        SELECT DISTINCT w.target_id AS concept,
               (SELECT b.bar FROM cognifold.fading_bars(tenant, moment) AS b WHERE b.rate = 'episodic') AS episodic,
               (SELECT b.bar FROM cognifold.fading_bars(tenant, moment) AS b WHERE b.rate = 'semantic') AS semantic
        FROM jsonb_to_recordset(wanted_edges) AS w (target_id uuid, type text, target_kind text, inferred boolean)
        WHERE w.type IN ('grounds', 'reinforces') AND w.target_kind = 'concept' AND NOT w.inferred
    ), dormant AS MATERIALIZED (   -- three looks at the strongest live edge; a new concept, which has no edge yet, falls out below
        SELECT b.* FROM bar AS b
        WHERE NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                          WHERE g.tenant_id = tenant AND g.target_id = b.concept AND g.faded_at IS NULL
                            AND g.rate = 'episodic' AND g.potential >= b.episodic)
          AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                          WHERE g.tenant_id = tenant AND g.target_id = b.concept AND g.faded_at IS NULL
                            AND g.rate = 'semantic' AND g.potential >= b.semantic)
          AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                          WHERE g.tenant_id = tenant AND g.source_id = b.concept AND g.faded_at IS NULL
                            AND g.rate = 'semantic' AND g.potential >= b.semantic)
    )
    SELECT jsonb_agg(jsonb_build_object(
               'node_id', d.concept,
               'potential', ln((settings ->> 'concept.wake')::double precision) + cognifold.decay_integral(tenant, 'episodic', moment),
               'edge', to_jsonb(s) - 'tenant_id') ORDER BY d.concept)
    INTO woken
    FROM dormant AS d
    CROSS JOIN LATERAL (
        SELECT e.* FROM cognifold.graph_edge AS e
        WHERE e.tenant_id = tenant AND e.target_id = d.concept AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred
        ORDER BY e.potential DESC, e.source_id, e.type
        LIMIT 1
    ) AS s
    WHERE s.potential < d.episodic;  -- else a pass of a later moment took it out, and at this one it was live
    IF woken IS NULL THEN
        RETURN '[]';
    END IF;

    UPDATE cognifold.graph_edge AS e
    SET potential = greatest(e.potential, w.potential), stamped_at = greatest(e.stamped_at, moment), faded_at = NULL
    FROM jsonb_to_recordset(woken) AS w (node_id uuid, potential double precision, edge jsonb)
    WHERE e.tenant_id = tenant AND e.target_id = w.node_id AND e.source_id = (w.edge ->> 'source_id')::uuid AND e.type = w.edge ->> 'type';

    SELECT jsonb_agg(c.change ORDER BY w.node_id, c.place) INTO changes
    FROM jsonb_to_recordset(woken) AS w (node_id uuid, edge jsonb)
    JOIN cognifold.concept_state AS s ON s.tenant_id = tenant AND s.node_id = w.node_id
    CROSS JOIN LATERAL (VALUES
        (1, jsonb_build_object(
            'relation', 'graph_edge', 'node_id', w.edge -> 'source_id', 'other_id', w.edge -> 'target_id', 'part', w.edge -> 'type',
            'before', w.edge)),
        (2, jsonb_build_object(
            'relation', 'concept_state', 'node_id', w.node_id,
            'before', jsonb_build_object('node_id', s.node_id, 'strength', s.strength, 'evidence_count', s.evidence_count,
                                         'evidence_potential', s.evidence_potential)))
    ) AS c (place, change);

    UPDATE cognifold.concept_state AS s SET evidence_potential = cognifold.evidence_potential(tenant, s.node_id)
    FROM jsonb_to_recordset(woken) AS w (node_id uuid)
    WHERE s.tenant_id = tenant AND s.node_id = w.node_id;
    RETURN changes;
END
$$;
COMMENT ON FUNCTION cognifold.wake_concepts(text, jsonb, timestamptz, jsonb) IS
    'Gives each concept that is dormant at a moment and for which stated evidence arrives its strongest provenance back at mass concept.wake, and returns the journal entries. Internal: execute_plan calls it before the evidence is written.';
