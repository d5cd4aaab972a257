-- wake_concepts: what new evidence, or a recall, does to a dormant concept: the strongest thing it ever rested on comes back.
CREATE OR REPLACE FUNCTION cognifold.wake_concepts(tenant text, concepts uuid[], moment timestamptz, settings jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    woken   jsonb;  -- {node_id, potential, edge}: the edge as it was
    changes jsonb;
    bar     double precision := ln((settings ->> 'edge.fade')::double precision) + cognifold.decay_integral(tenant, 'episodic', moment);
BEGIN
    -- One look at the strongest of what events state of it is enough for nearly every concept.
    IF NOT EXISTS (SELECT FROM unnest(concepts) AS c (id)
                   WHERE NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                                     WHERE g.tenant_id = tenant AND g.target_id = c.id AND g.faded_at IS NULL
                                       AND g.rate = 'episodic' AND g.potential >= bar)) THEN
        RETURN '[]';
    END IF;

    SELECT jsonb_agg(jsonb_build_object(
               'node_id', d.concept,
               'potential', ln((settings ->> 'concept.wake')::double precision) + cognifold.decay_integral(tenant, 'episodic', moment),
               'edge', to_jsonb(e) - 'tenant_id') ORDER BY d.concept)
    INTO woken
    FROM cognifold.dormant_concepts(tenant, concepts, moment) AS d
    JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.source_id = d.source_id AND e.target_id = d.concept AND e.type = d.type;
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
COMMENT ON FUNCTION cognifold.wake_concepts(text, uuid[], timestamptz, jsonb) IS
    'Gives each of the given concepts that is dormant at a moment its strongest provenance back at mass concept.wake, and returns the journal entries. Internal: execute_plan calls it for those that stated evidence arrives for, before it is written, and for WAKE_NODE.';
