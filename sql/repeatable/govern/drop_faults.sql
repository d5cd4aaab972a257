-- drop_faults: takes away the faults of watched rows that events were made of.
CREATE OR REPLACE FUNCTION cognifold.drop_faults(tenant text, events uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_variable
BEGIN
    -- A fault is of no tenant; the row whose event is the tenant's is.
    DELETE FROM cognifold_watch.fault AS f
    USING (SELECT DISTINCT w.watch_id, left(substr(regexp_replace(n.idempotency_key, ':([0-9a-f]{32}(:[0-9]+\.[0-9]+)?|gone:[0-9]+\.[0-9]+)$', ''),
                                                   length(format('watch:%s:', w.name)) + 1), 200) AS row_key
           FROM unnest(events) AS e (id)
           JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = e.id AND starts_with(n.source_agent, 'watch ')
           JOIN cognifold.watch AS w ON w.name = substr(n.source_agent, 7) AND coalesce(w.only_tenant = tenant, true)
           WHERE starts_with(n.idempotency_key, format('watch:%s:', w.name))) AS r
    WHERE f.watch_id = r.watch_id AND f.row_key = r.row_key;
END
$$;
COMMENT ON FUNCTION cognifold.drop_faults(text, uuid[]) IS
    'Removes from cognifold_watch.fault what stands there of the rows that these events, which are still there, were captured from. Internal: forget_nodes calls it.';
