-- mark_changed: notes for the next consolidation which concepts and events a plan has changed.
CREATE OR REPLACE FUNCTION cognifold.mark_changed(
    tenant text, new_nodes jsonb, wanted_edges jsonb, updated jsonb, merged jsonb, folded_event_id uuid
) RETURNS void
LANGUAGE sql VOLATILE
SET search_path FROM CURRENT
AS $$
    INSERT INTO cognifold.consolidation_dirty (tenant_id, kind, node_id)
    SELECT DISTINCT mark_changed.tenant, n.kind, n.id
    FROM (
        SELECT w.id FROM jsonb_to_recordset(new_nodes) AS w (id uuid, kind text) WHERE w.kind = 'concept'
        UNION ALL
        SELECT CASE end_.side WHEN 1 THEN w.source_id ELSE w.target_id END
        FROM jsonb_to_recordset(wanted_edges) AS w (source_id uuid, target_id uuid, source_kind text, target_kind text)
        CROSS JOIN (VALUES (1), (2)) AS end_ (side)
        -- Both ends of what joins a concept; events only by that, not by every link among themselves.
        WHERE 'concept' IN (w.source_kind, w.target_kind)
        UNION ALL
        SELECT (u.row_key ->> 'id')::uuid FROM jsonb_to_recordset(updated) AS u (row_key jsonb)
        UNION ALL
        SELECT m.survivor FROM jsonb_to_recordset(merged) AS m (survivor uuid)
        UNION ALL
        SELECT mark_changed.folded_event_id
    ) AS c (id)
    JOIN cognifold.node AS n ON n.tenant_id = mark_changed.tenant AND n.id = c.id AND n.kind IN ('event', 'concept') AND n.merged_into IS NULL
    ON CONFLICT DO NOTHING
$$;
COMMENT ON FUNCTION cognifold.mark_changed(text, jsonb, jsonb, jsonb, jsonb, uuid) IS
    'Writes into consolidation_dirty what a plan made, linked, renamed, merged or folded. Internal: execute_plan calls it.';
