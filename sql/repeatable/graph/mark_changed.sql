-- mark_changed: notes for the next consolidation which concepts and events a plan has changed.
CREATE OR REPLACE FUNCTION cognifold.mark_changed(tenant text, changes jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO cognifold.consolidation_dirty (tenant_id, kind, node_id)
    SELECT mark_changed.tenant, n.kind, n.id
    FROM (
        SELECT c.node_id AS id FROM jsonb_to_recordset(changes) AS c (relation text, node_id uuid)
        WHERE c.relation IN ('node', 'concept_state', 'folded_event')
        UNION
        SELECT e.id
        FROM jsonb_to_recordset(changes) AS c (relation text, node_id uuid, other_id uuid)
        JOIN cognifold.node AS s ON s.tenant_id = mark_changed.tenant AND s.id = c.node_id
        JOIN cognifold.node AS t ON t.tenant_id = mark_changed.tenant AND t.id = c.other_id
        CROSS JOIN LATERAL (VALUES (s.id), (t.id)) AS e (id)
        -- Both ends of what joins a concept; events only by that, not by every link among themselves.
        WHERE c.relation = 'graph_edge' AND 'concept' IN (s.kind, t.kind)
        UNION   -- and where one is on its way to be consolidated and the other is: then the link counts
        SELECT CASE s.consolidation_state WHEN 'consolidating' THEN s.node_id ELSE t.node_id END
        FROM jsonb_to_recordset(changes) AS c (relation text, node_id uuid, other_id uuid)
        JOIN cognifold.node_state AS s ON s.tenant_id = mark_changed.tenant AND s.node_id = c.node_id
        JOIN cognifold.node_state AS t ON t.tenant_id = mark_changed.tenant AND t.node_id = c.other_id
        WHERE c.relation = 'graph_edge'
          AND (s.consolidation_state = 'consolidating' AND t.consolidation_state IN ('consolidated', 'archived')
               OR t.consolidation_state = 'consolidating' AND s.consolidation_state IN ('consolidated', 'archived'))
    ) AS c
    JOIN cognifold.node AS n ON n.tenant_id = mark_changed.tenant AND n.id = c.id AND n.kind IN ('event', 'concept') AND n.merged_into IS NULL
    ON CONFLICT DO NOTHING;
    -- An undo may bring a merge back: what is merged waits for nothing.
    IF changes @? '$[*] ? (@.relation == "node" && @.before != null)' THEN
        DELETE FROM cognifold.consolidation_dirty AS d
        USING jsonb_to_recordset(changes) AS c (relation text, node_id uuid), cognifold.node AS n
        WHERE c.relation = 'node' AND n.tenant_id = mark_changed.tenant AND n.id = c.node_id AND n.merged_into IS NOT NULL
          AND d.tenant_id = mark_changed.tenant AND d.kind = 'concept' AND d.node_id = n.id;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.mark_changed(text, jsonb) IS
    'Writes into consolidation_dirty what a plan''s journal entries say it made, linked, renamed, merged, folded or took back. Internal: record_plan calls it.';
