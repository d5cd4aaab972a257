-- forget_faults: where something of what was forgotten is still there.
CREATE OR REPLACE FUNCTION cognifold.forget_faults(tenant text) RETURNS TABLE (invariant text, subject text, detail text)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    RETURN QUERY
    SELECT 'what is forgotten is gone', k.node_id::text, f.place
    FROM cognifold.forgotten_key AS k
    CROSS JOIN LATERAL (
        SELECT 'it is a node' AS place FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = k.node_id
        UNION
        SELECT 'the journal has a row of it' FROM cognifold.journal AS j WHERE j.tenant_id = tenant AND k.node_id IN (j.node_id, j.other_id)
        UNION
        SELECT 'a plan speaks of it' FROM cognifold.plan_mention AS m WHERE m.tenant_id = tenant AND m.node_id = k.node_id
        UNION
        SELECT 'a vector of it is indexed' FROM cognifold.vector_index AS i WHERE i.tenant_id = tenant AND i.node_id = k.node_id
        UNION
        SELECT 'a vector of it waits to be indexed' FROM cognifold.vector_tail AS t WHERE t.tenant_id = tenant AND t.node_id = k.node_id
    ) AS f
    WHERE k.tenant_id = tenant
    UNION ALL
    SELECT 'no event has a forgotten key', n.id::text, 'it was stored again'
    FROM cognifold.forgotten_key AS k
    JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.kind = 'event' AND cognifold.forgotten_hash(n.idempotency_key) = k.key_hash
    WHERE k.tenant_id = tenant;
END
$$;
COMMENT ON FUNCTION cognifold.forget_faults(text) IS
    'Events that were forgotten and are nodes, or that the journal, a plan or an index of vectors still knows; events stored under a forgotten key. Internal: for check.';
