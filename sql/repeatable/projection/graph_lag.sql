-- graph_lag: how far the graphs in Apache AGE are behind the tables.
CREATE OR REPLACE FUNCTION cognifold.graph_has_lag(tenant text) RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
BEGIN
    IF to_regclass('cognifold.graph_projection') IS NULL THEN
        RETURN false;
    END IF;
    RETURN EXISTS (
        SELECT FROM cognifold.graph_projection AS g
        WHERE g.tenant_id = graph_has_lag.tenant
          AND (g.stale OR EXISTS (SELECT FROM cognifold.plan AS p WHERE p.tenant_id = g.tenant_id AND p.version > g.version)));
END
$$;
COMMENT ON FUNCTION cognifold.graph_has_lag(text) IS 'Whether the tenant has a graph in Apache AGE that does not show all of its plans. Internal.';

CREATE OR REPLACE FUNCTION cognifold.graph_lags() RETURNS TABLE (
    tenant_id text, graph_name name, version bigint, plans bigint, changes bigint, seconds double precision, synced_at timestamptz, stale boolean
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    wanted  text := cognifold.current_tenant();
    visited text;
    clock   timestamptz := clock_timestamp();
BEGIN
    IF to_regclass('cognifold.graph_projection') IS NULL THEN
        RETURN;
    END IF;
    FOR visited IN SELECT w.tenant FROM cognifold.watched_tenants() AS w LOOP
        PERFORM set_config('cognifold.tenant', visited, true);
        RETURN QUERY
        SELECT visited, g.graph_name, g.version, b.plans, b.changes, coalesce(greatest(extract(epoch FROM clock - b.oldest), 0), 0)::double precision,
               g.synced_at, g.stale
        FROM cognifold.graph_projection AS g
        CROSS JOIN LATERAL (
            SELECT count(*) AS plans, coalesce(sum(j.number), 0)::bigint AS changes, min(p.applied_at) AS oldest
            FROM (SELECT q.tenant_id, q.plan_id, q.applied_at FROM cognifold.plan AS q
                  WHERE q.tenant_id = g.tenant_id AND q.version > g.version ORDER BY q.version LIMIT 10000) AS p
            CROSS JOIN LATERAL (
                SELECT count(*) AS number FROM cognifold.journal AS j
                WHERE j.tenant_id = p.tenant_id AND j.plan_id = p.plan_id AND j.relation IN ('node', 'graph_edge', 'folded_event')) AS j) AS b
        WHERE g.tenant_id = visited;
    END LOOP;
    PERFORM set_config('cognifold.tenant', coalesce(wanted, ''), true);
END
$$;
COMMENT ON FUNCTION cognifold.graph_lags() IS 'What the view graph_lag shows. Internal.';

CREATE OR REPLACE VIEW cognifold.graph_lag WITH (security_invoker = true) AS
SELECT l.tenant_id, l.graph_name, l.version, l.plans, l.changes, l.seconds, l.synced_at, l.stale
FROM cognifold.graph_lags() AS l;  -- which decides whose
COMMENT ON VIEW cognifold.graph_lag IS 'How far each graph in Apache AGE is behind the memory it shows: a row for each tenant that has one (no rows without AGE). Whose: as of the view lag.';
COMMENT ON COLUMN cognifold.graph_lag.version IS 'The last plan of the tenant (plan.version) that the graph shows.';
COMMENT ON COLUMN cognifold.graph_lag.plans IS 'Plans applied since; counted up to 10,000.';
COMMENT ON COLUMN cognifold.graph_lag.changes IS 'Rows of nodes, edges and folds that these have changed.';
COMMENT ON COLUMN cognifold.graph_lag.seconds IS 'Since when the oldest of those plans waits, in seconds (wall clock); 0 where none does.';
COMMENT ON COLUMN cognifold.graph_lag.synced_at IS 'When it was last written (wall clock).';
COMMENT ON COLUMN cognifold.graph_lag.stale IS 'It has missed something that no plan tells of: the next graph_sync fills it anew.';
