-- consolidation_due: what a pass would do first, at the price of a few index pages; NULL where there is nothing to do.
CREATE OR REPLACE FUNCTION cognifold.consolidation_due(tenant text, as_of timestamptz) RETURNS text
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
BEGIN
    IF EXISTS (SELECT FROM cognifold.recall_log AS l WHERE l.tenant_id = tenant LIMIT 1) THEN
        RETURN 'recalls';
    ELSIF cognifold.edges_due(tenant, as_of) THEN
        RETURN 'decay';
    ELSIF EXISTS (SELECT FROM cognifold.consolidation_dirty AS d WHERE d.tenant_id = tenant AND d.kind = 'concept' LIMIT 1) THEN
        RETURN 'concepts';
    ELSIF EXISTS (SELECT FROM cognifold.consolidation_dirty AS d WHERE d.tenant_id = tenant AND d.kind = 'event' LIMIT 1)
        OR cardinality(cognifold.due_events(tenant, as_of, 1)) > 0
    THEN
        RETURN 'events';
    ELSIF EXISTS (SELECT FROM cognifold.node_state AS s
                  WHERE s.tenant_id = tenant AND s.due_at <= as_of AND s.consolidation_state = 'consolidated' LIMIT 1)
    THEN
        RETURN 'archive';
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION cognifold.consolidation_due(text, timestamptz) IS
    'The first phase of a pass that has something to do at that moment (recalls, decay, concepts, events, archive), or NULL. Writes nothing and locks nothing. Internal.';
