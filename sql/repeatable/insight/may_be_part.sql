-- may_be_part: whether a concept may become part of a theme: it has evidence of its own, no parts, and is part of nothing.
CREATE OR REPLACE FUNCTION cognifold.may_be_part(tenant text, concept uuid) RETURNS boolean
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT EXISTS (SELECT FROM cognifold.concept_state AS s WHERE s.tenant_id = may_be_part.tenant AND s.node_id = concept AND s.event_count >= 2)
       AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS e
                       WHERE e.tenant_id = may_be_part.tenant AND e.target_id = concept AND e.type = 'part_of' AND e.source_kind = 'concept')
       AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS e
                       WHERE e.tenant_id = may_be_part.tenant AND e.source_id = concept AND e.type = 'part_of' AND e.target_kind = 'concept')
$$;
COMMENT ON FUNCTION cognifold.may_be_part(text, uuid) IS
    'True for a concept with at least two stated events that is part_of no concept and that no concept is part_of. Internal: theme_links calls it.';
