-- graph_lock: the advisory lock under which a tenant's graph changes, so that folds and plans of one tenant queue up.
CREATE OR REPLACE FUNCTION cognifold.graph_lock(tenant text) RETURNS bigint
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$
    SELECT pg_catalog.hashtextextended('cognifold graph ' || tenant, 0)
$$;
COMMENT ON FUNCTION cognifold.graph_lock(text) IS 'Key of the advisory lock that serialises changes of one tenant''s graph. Internal.';
