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
    ) AS c
    JOIN cognifold.node AS n ON n.tenant_id = mark_changed.tenant AND n.id = c.id AND n.kind IN ('event', 'concept') AND n.merged_into IS NULL
    ON CONFLICT DO NOTHING;
END
$$;
COMMENT ON FUNCTION cognifold.mark_changed(text, jsonb) IS
    'Writes into consolidation_dirty what a plan''s journal entries say it made, linked, renamed, merged, folded or took back. Internal: record_plan calls it.';
