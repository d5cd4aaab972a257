-- plans_about: the plans that wrote rows of some nodes, or speak of them.
CREATE OR REPLACE FUNCTION cognifold.plans_about(tenant text, nodes uuid[]) RETURNS TABLE (plan_id uuid)
LANGUAGE plpgsql STABLE ROWS 100
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT j.plan_id FROM unnest(nodes) AS n (id) JOIN cognifold.journal AS j ON j.tenant_id = plans_about.tenant AND j.node_id = n.id
    UNION
    SELECT j.plan_id FROM unnest(nodes) AS n (id) JOIN cognifold.journal AS j ON j.tenant_id = plans_about.tenant AND j.other_id = n.id
    UNION
    SELECT m.plan_id FROM unnest(nodes) AS n (id) JOIN cognifold.plan_mention AS m ON m.tenant_id = plans_about.tenant AND m.node_id = n.id
    UNION
    SELECT p.plan_id FROM unnest(nodes) AS n (id) JOIN cognifold.plan AS p ON p.tenant_id = plans_about.tenant AND p.trigger_event_id = n.id;
END
$$;
COMMENT ON FUNCTION cognifold.plans_about(text, uuid[]) IS
    'Plans with an entry of their journal about one of the nodes (either end of an edge), or that name one in their operations, each once. By index: what it costs follows what was done to them. Internal.';
