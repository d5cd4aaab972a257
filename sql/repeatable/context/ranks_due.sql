-- ranks_due: how many nodes may wait for their ranks to be settled before a plan or fold sees to it.
CREATE OR REPLACE FUNCTION cognifold.ranks_due(tenant text) RETURNS integer
LANGUAGE sql STABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    -- What is passed on reaches further in a larger memory, and the same number of nodes matters less there.
    SELECT least(greatest(cognifold.setting('pagerank.dirty', ranks_due.tenant),
                          cognifold.setting('pagerank.dirty_share', ranks_due.tenant) * s.document_count), 1e9)::integer
    FROM cognifold.lexical_statistics AS s WHERE s.tenant_id = ranks_due.tenant
$$;
COMMENT ON FUNCTION cognifold.ranks_due(text) IS
    'How many nodes with changed edges out a plan or fold leaves to the next one: pagerank.dirty, or pagerank.dirty_share of the indexed events where that is more. Internal.';
