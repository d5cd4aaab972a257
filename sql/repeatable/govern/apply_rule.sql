-- apply_rule: one rule of retention, for a bounded number of the nodes that are old enough, from a place on.
CREATE OR REPLACE FUNCTION cognifold.apply_rule(
    rule cognifold.retention, as_of timestamptz, maximum integer, INOUT place_at timestamptz, INOUT place_id uuid, OUT looked_at integer, OUT applied integer
)
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    tenant text := rule.tenant_id;
    due    uuid[];
BEGIN
    WITH old AS MATERIALIZED (   -- what has no date has no age
        SELECT n.id, n.occurred_at, n.source, n.privacy_level, n.memory_type, n.merged_into
        FROM cognifold.node AS n
        WHERE n.tenant_id = tenant AND n.kind = rule.kind AND n.occurred_at < as_of - rule.keep
          AND (n.occurred_at, n.id) > (coalesce(place_at, '-infinity'), coalesce(place_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
        ORDER BY n.occurred_at, n.id LIMIT maximum
    )
    SELECT count(*), coalesce((array_agg(o.occurred_at ORDER BY o.occurred_at DESC, o.id DESC))[1], place_at),
           coalesce((array_agg(o.id ORDER BY o.occurred_at DESC, o.id DESC))[1], place_id),
           array_agg(o.id ORDER BY o.id) FILTER (
               WHERE (rule.sources IS NULL OR o.source = ANY (rule.sources))
                 AND (rule.privacy_levels IS NULL OR o.privacy_level = ANY (rule.privacy_levels))
                 AND (rule.memory_types IS NULL OR o.memory_type = ANY (rule.memory_types))
                 AND o.merged_into IS NULL
                 -- What waits to be folded is archived when it is.
                 AND (rule.action = 'forget'
                      OR NOT EXISTS (SELECT FROM cognifold.node_state AS s
                                     WHERE s.tenant_id = tenant AND s.node_id = o.id AND s.consolidation_state = 'archived')
                         AND NOT EXISTS (SELECT FROM cognifold.work AS w WHERE w.tenant_id = tenant AND w.task = 'fold' AND w.node_id = o.id)))
    INTO looked_at, place_at, place_id, due
    FROM old AS o;
    applied := coalesce(cardinality(due), 0);
    IF applied > 0 AND rule.action = 'archive' THEN
        INSERT INTO cognifold.node_state AS s (tenant_id, node_id, consolidation_state)
        SELECT tenant, d.id, 'archived' FROM unnest(due) AS d (id)
        ON CONFLICT ON CONSTRAINT node_state_pkey DO UPDATE SET consolidation_state = 'archived', due_at = NULL;
        PERFORM cognifold.place_content(tenant, due, true);
    ELSIF applied > 0 THEN
        PERFORM cognifold.forget(node_ids => due, tenant => tenant);
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.apply_rule(cognifold.retention, timestamptz, integer, timestamptz, uuid) IS
    'Looks at up to maximum nodes of the rule''s kind that are old enough at as_of, after a place in their order of event time, and archives or forgets those the rule is about. Returns the place it came to, how many it looked at and to how many it applied. Internal: for apply_retention.';
