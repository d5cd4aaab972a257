-- graph_sync, graph_rebuild: carry over to the tenant's graph in Apache AGE what plans have changed, or all there is.
CREATE OR REPLACE FUNCTION cognifold.graph_sync(max_changes integer DEFAULT 2000, tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    carried  bigint;
BEGIN
    IF max_changes IS NULL OR max_changes < 1 THEN
        RAISE EXCEPTION 'graph_sync: max_changes = % is not a positive number', coalesce(max_changes::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Say how many changes to carry over at most; call again until it returns 0.';
    END IF;
    PERFORM cognifold.graph_of(tenant, false);
    carried := cognifold.age_sync(tenant, max_changes);
    PERFORM cognifold.leave_tenant(previous);
    RETURN carried;
END
$$;
COMMENT ON FUNCTION cognifold.graph_sync(integer, text) IS
    'Carries the oldest changes that the tenant''s graph in Apache AGE has not seen over to it, whole plans of together at most max_changes (one plan at least), and returns how many: 0 once it shows all. What was carried over before does no harm again, and killed it has done nothing. One at a time for a tenant: another waits. Raises CF053 where there is no graph.';

CREATE OR REPLACE FUNCTION cognifold.graph_rebuild(tenant text DEFAULT cognifold.required_tenant()) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    stored   bigint;
BEGIN
    PERFORM cognifold.graph_of(tenant, false);
    stored := cognifold.age_rebuild(tenant);
    PERFORM cognifold.leave_tenant(previous);
    RETURN stored;
END
$$;
COMMENT ON FUNCTION cognifold.graph_rebuild(text) IS
    'Empties the tenant''s graph in Apache AGE and fills it from the tables, in one transaction: killed, the graph is as it was. Returns how many nodes and edges it has. Who reads the graph waits meanwhile. Raises CF053 where there is no graph, or one that a restore has broken (then: cognifold graph rebuild).';
