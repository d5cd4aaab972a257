-- mark_strengthened: an event on its way to being consolidated is looked at again where a pass has tied it in more strongly.
CREATE OR REPLACE FUNCTION cognifold.mark_strengthened(tenant text, changes jsonb, moment timestamptz) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
BEGIN
    IF NOT changes @> '[{"relation": "graph_edge"}]' THEN
        RETURN;
    END IF;
    UPDATE cognifold.node_state AS s
    SET due_at = moment
    FROM (
        SELECT DISTINCT v.this
        FROM jsonb_to_recordset(changes) AS c (relation text, node_id uuid, other_id uuid, part text, before jsonb)
        CROSS JOIN LATERAL (   -- as it is now, by its key: of a concept with many edges none but this is looked at
            SELECT e.* FROM cognifold.graph_edge AS e
            WHERE e.tenant_id = tenant AND e.source_id = c.node_id AND e.target_id = c.other_id AND e.type = c.part
            LIMIT 1
        ) AS g
        CROSS JOIN LATERAL (VALUES (g.source_id, g.source_kind, g.target_id, g.target_kind), (g.target_id, g.target_kind, g.source_id, g.source_kind))
                           AS v (this, this_kind, other, other_kind)
        LEFT JOIN cognifold.node_state AS o ON v.other_kind = 'event' AND o.tenant_id = tenant AND o.node_id = v.other
        WHERE c.relation = 'graph_edge' AND v.this_kind = 'event' AND g.faded_at IS NULL
          AND (c.before IS NULL OR c.before = 'null' OR c.before ->> 'faded_at' IS NOT NULL OR g.potential > (c.before ->> 'potential')::double precision)
          AND (v.other_kind = 'concept' OR o.consolidation_state IN ('consolidated', 'archived'))
    ) AS t
    WHERE s.tenant_id = tenant AND s.node_id = t.this AND s.consolidation_state = 'consolidating' AND coalesce(s.due_at > moment, true);
END
$$;
COMMENT ON FUNCTION cognifold.mark_strengthened(text, jsonb, timestamptz) IS
    'Has consolidating events looked at by a pass from moment on (node_state.due_at) if the journal entries of a plan of a pass say that it made, woke or strengthened an edge that joins them to a concept or a consolidated event: the next pass, for this one may have replayed them. Internal: record_plan calls it; what other plans do is noted by mark_changed.';
