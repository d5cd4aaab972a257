-- counts: how large each tenant's memory is and how its work stands, in numbers and times. The view stats shows them.
CREATE OR REPLACE FUNCTION cognifold.counts() RETURNS TABLE (
    tenant_id text, events bigint, concepts bigint, intents bigint, times bigint, edges_live bigint, edges_faded bigint,
    folds_pending bigint, folds_failed bigint, folds_dead bigint, oldest_pending timestamptz,
    last_event timestamptz, last_fold timestamptz, last_consolidation timestamptz, embedding_model text
)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    wanted   text := cognifold.current_tenant();
    -- A monitor sees every tenant's numbers, unless the role, or the one it logged in as, is bound.
    monitor  boolean := pg_has_role(cognifold.effective_role(), 'cognifold_monitor', 'MEMBER')
                        AND NOT EXISTS (SELECT FROM cognifold.tenant_member AS m
                                        WHERE m.role_name IN (cognifold.effective_role(), session_user));
    visited  text;
    episodic double precision;
    semantic double precision;
BEGIN
    FOR visited IN
        SELECT a.tenant FROM cognifold.all_tenants() AS a
        WHERE a.tenant = wanted AND cognifold.tenant_permitted(a.tenant) OR monitor AND coalesce(a.tenant = wanted, true)
    LOOP
        PERFORM set_config('cognifold.tenant', visited, true);
        -- The potential at which an edge has faded: D + ln(edge.fade).
        episodic := cognifold.decay_integral(visited, 'episodic', cognifold.now()) + ln(cognifold.setting('edge.fade', visited));
        semantic := cognifold.decay_integral(visited, 'semantic', cognifold.now()) + ln(cognifold.setting('edge.fade', visited));
        RETURN QUERY
        SELECT visited, n.events, n.concepts, n.intents, n.times, e.live, e.number - e.live,
               w.pending, w.failed, w.dead, w.oldest, n.last_event, p.last_fold, r.last_consolidation, m.name
        FROM (SELECT count(*) FILTER (WHERE n.kind = 'event') AS events,
                     count(*) FILTER (WHERE n.kind = 'concept' AND n.merged_into IS NULL) AS concepts,
                     count(*) FILTER (WHERE n.kind = 'intent') AS intents,
                     count(*) FILTER (WHERE n.kind = 'time') AS times,
                     max(n.recorded_at) FILTER (WHERE n.kind = 'event') AS last_event
              FROM cognifold.node AS n WHERE n.tenant_id = visited) AS n
        CROSS JOIN (SELECT count(*) AS number,
                           count(*) FILTER (WHERE e.faded_at IS NULL
                                              AND e.potential >= CASE e.rate WHEN 'episodic' THEN episodic ELSE semantic END) AS live
                    FROM cognifold.graph_edge AS e WHERE e.tenant_id = visited) AS e
        CROSS JOIN (SELECT count(*) FILTER (WHERE w.state = 'ready') AS pending, count(*) FILTER (WHERE w.state IN ('failed', 'rate_limited')) AS failed,
                           count(*) FILTER (WHERE w.state = 'dead') AS dead, min(w.enqueued_at) FILTER (WHERE w.state = 'ready') AS oldest
                    FROM cognifold.work AS w WHERE w.tenant_id = visited AND w.task = 'fold') AS w
        CROSS JOIN (SELECT (SELECT p.applied_at FROM cognifold.plan AS p
                            WHERE p.tenant_id = visited
                              AND EXISTS (SELECT FROM cognifold.folded_event AS f WHERE f.tenant_id = visited AND f.plan_id = p.plan_id)
                            ORDER BY p.applied_at DESC LIMIT 1) AS last_fold) AS p
        CROSS JOIN (SELECT max(c.finished_at) AS last_consolidation FROM cognifold.consolidation_run AS c WHERE c.tenant_id = visited) AS r
        CROSS JOIN cognifold.tenant_model(visited) AS m;
    END LOOP;
    PERFORM set_config('cognifold.tenant', coalesce(wanted, ''), true);
END
$$;
COMMENT ON FUNCTION cognifold.counts() IS 'What the view stats shows. Internal.';
