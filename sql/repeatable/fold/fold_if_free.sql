-- fold_if_free: fold for workers: where somebody else changes the graph just now, or the tenant has had its share, it says so at once.
CREATE OR REPLACE FUNCTION cognifold.fold_if_free(
    max_events integer DEFAULT 1, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (event_id uuid, plan_id uuid, outcome text, operations integer)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 50
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    allowed  integer := cognifold.fold_share(tenant);
BEGIN
    IF allowed = 0 THEN
        RAISE EXCEPTION 'tenant "%" has had its share of folds for now', tenant
            USING ERRCODE = 'CF051', HINT = 'Its events wait: see cognifold.lag. The settings fold.rate and fold.budget limit it.';
    END IF;
    PERFORM FROM cognifold.graph_turn AS t WHERE t.tenant_id = tenant FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the graph of tenant "%" is being changed by somebody else', tenant
            USING ERRCODE = 'lock_not_available', HINT = 'Fold another tenant''s events, and come back.';
    END IF;
    RETURN QUERY SELECT f.* FROM cognifold.fold(least(max_events, allowed), tenant) AS f;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.fold_if_free(integer, text) IS
    'As fold, but waits for nobody, so that a busy tenant keeps no other waiting: lock_not_available (55P03) where another session changes the graph, CF051 where the tenant has reached fold.rate or fold.budget. For cognifold_worker.';

CREATE OR REPLACE FUNCTION cognifold.fold_allowance(tenant text DEFAULT cognifold.required_tenant()) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    allowed  integer := cognifold.fold_share(tenant);
BEGIN
    PERFORM cognifold.leave_tenant(previous);
    RETURN allowed;
END
$$;
COMMENT ON FUNCTION cognifold.fold_allowance(text) IS
    'How many events of the tenant workers may fold now, by the settings fold.rate (a minute) and fold.budget (24 hours), wall clock; 2147483647 without a limit. For cognifold_worker.';

CREATE OR REPLACE FUNCTION cognifold.fold_share(tenant text) RETURNS integer
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    clock   timestamptz := clock_timestamp();
    rate    bigint := cognifold.setting('fold.rate', tenant);
    budget  bigint := cognifold.setting('fold.budget', tenant);
    allowed bigint := 2147483647;
BEGIN
    IF rate > 0 THEN
        allowed := rate - cognifold.folded_since(tenant, clock - interval '1 minute', rate);
    END IF;
    IF budget > 0 AND allowed > 0 THEN
        allowed := least(allowed, budget - cognifold.folded_since(tenant, clock - interval '1 day', budget));
    END IF;
    RETURN greatest(allowed, 0);
END
$$;
COMMENT ON FUNCTION cognifold.fold_share(text) IS 'What fold_allowance returns, of the tenant that is set. Internal.';

CREATE OR REPLACE FUNCTION cognifold.folded_since(tenant text, moment timestamptz, enough bigint) RETURNS bigint
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT count(*) FROM (
        SELECT FROM cognifold.plan AS p
        JOIN cognifold.folded_event AS f ON f.tenant_id = p.tenant_id AND f.plan_id = p.plan_id
        WHERE p.tenant_id = folded_since.tenant AND p.applied_at > folded_since.moment
        LIMIT folded_since.enough) AS f
$$;
COMMENT ON FUNCTION cognifold.folded_since(text, timestamptz, bigint) IS 'How many events were folded since that moment (wall clock), counted up to enough. Internal.';
