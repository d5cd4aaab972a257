-- consolidation_faults: what a sleep pass promises of merged concepts and replayed events, and does not hold.
CREATE OR REPLACE FUNCTION cognifold.consolidation_faults(tenant text) RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    RETURN QUERY
    SELECT 'a merged concept points at one that is not merged', n.id::text, n.title
    FROM cognifold.node AS n JOIN cognifold.node AS s ON s.tenant_id = n.tenant_id AND s.id = n.merged_into
    WHERE n.tenant_id = tenant AND s.merged_into IS NOT NULL
    UNION ALL
    SELECT 'a concept is merged into a concept', n.id::text, format('a %s into a %s', n.kind, s.kind)
    FROM cognifold.node AS n JOIN cognifold.node AS s ON s.tenant_id = n.tenant_id AND s.id = n.merged_into
    WHERE n.tenant_id = tenant AND (n.kind <> 'concept' OR s.kind <> 'concept')
    UNION ALL
    SELECT 'a merged concept has no edge', n.id::text, format('%s -> %s', e.source_id, e.target_id)
    FROM cognifold.node AS n
    CROSS JOIN LATERAL (
        SELECT o.source_id, o.target_id FROM cognifold.graph_edge AS o WHERE o.tenant_id = tenant AND o.source_id = n.id
        UNION ALL
        SELECT i.source_id, i.target_id FROM cognifold.graph_edge AS i WHERE i.tenant_id = tenant AND i.target_id = n.id
    ) AS e
    WHERE n.tenant_id = tenant AND n.merged_into IS NOT NULL
    UNION ALL
    SELECT 'a merged concept is not searched', n.id::text, f.found
    FROM cognifold.node AS n
    CROSS JOIN LATERAL (
        SELECT 'by its vector' AS found FROM cognifold.embedding AS e WHERE e.tenant_id = tenant AND e.node_id = n.id
        UNION
        SELECT 'by its words' FROM cognifold.lexical_document AS d WHERE d.tenant_id = tenant AND d.node_id = n.id
    ) AS f
    WHERE n.tenant_id = tenant AND n.merged_into IS NOT NULL
    UNION ALL
    SELECT 'what waits for a pass stands', d.node_id::text, format('it was merged into %s', n.merged_into)
    FROM cognifold.consolidation_dirty AS d JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = d.node_id
    WHERE d.tenant_id = tenant AND n.merged_into IS NOT NULL
    UNION ALL
    SELECT 'only events are replayed', s.node_id::text, format('a %s, %s, replayed %s times', n.kind, s.consolidation_state, s.replay_count)
    FROM cognifold.node_state AS s JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = s.node_id
    WHERE s.tenant_id = tenant AND n.kind <> 'event'
      AND (s.consolidation_state <> 'fresh' OR s.replay_count > 0 OR s.integration_score > 0 OR s.due_at IS NOT NULL)
    UNION ALL
    SELECT 'an event is fresh until its first replay, and no longer', s.node_id::text, format('%s, replayed %s times', s.consolidation_state, s.replay_count)
    FROM cognifold.node_state AS s
    WHERE s.tenant_id = tenant
      AND (s.consolidation_state = 'fresh' AND (s.replay_count > 0 OR s.due_at IS NOT NULL)
           -- An event may come to rest without a replay, where another says the same.
           OR s.consolidation_state IN ('consolidating', 'consolidated') AND s.replay_count = 0)
    UNION ALL
    SELECT 'what is archived lies in one place', coalesce(c.node_id::text, format('pack %s', p.pack_id)),
           format('place %s: %s', coalesce(c.pack_place, p.place), CASE WHEN p.place IS NULL THEN 'nothing is there' ELSE 'no node''s' END)
    FROM (SELECT c.node_id, c.pack_id, c.pack_place FROM cognifold.node_content AS c WHERE c.tenant_id = tenant AND c.pack_id IS NOT NULL) AS c
    FULL JOIN (SELECT a.pack_id, t.place FROM cognifold.archived_content AS a CROSS JOIN LATERAL unnest(a.contents) WITH ORDINALITY AS t (content, place)
               WHERE a.tenant_id = tenant AND t.content IS NOT NULL) AS p ON p.pack_id = c.pack_id AND p.place = c.pack_place
    WHERE c.node_id IS NULL OR p.place IS NULL
    UNION ALL
    SELECT 'a pass ends after it begins', r.run_id::text, format('began %s, ended %s', r.started_at, r.finished_at)
    FROM cognifold.consolidation_run AS r
    WHERE r.tenant_id = tenant AND r.finished_at < r.started_at;
END
$$;
COMMENT ON FUNCTION cognifold.consolidation_faults(text) IS
    'Merged concepts that lead to another merged one, to no concept, still have edges or are searched; what waits for a pass and is merged; states that do not fit the replays; texts of archived events that are nowhere, or no node''s. Internal: for check.';
