-- mark_ranks: notes whose rank is passed on differently after a plan, so that settle_ranks need look at nothing else.
CREATE OR REPLACE FUNCTION cognifold.mark_ranks(tenant text, changes jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
BEGIN
    WITH entry AS MATERIALIZED (
        SELECT c.* FROM jsonb_to_recordset(changes) AS c (relation text, node_id uuid, other_id uuid, part text, before jsonb)
    )
    INSERT INTO cognifold.rank_dirty (tenant_id, node_id)
    SELECT tenant, e.node_id FROM entry AS e WHERE e.relation = 'graph_edge'
    UNION
    SELECT tenant, e.other_id FROM entry AS e
    WHERE e.relation = 'graph_edge'
      AND ((e.before ->> 'bidirectional')::boolean
           OR EXISTS (SELECT FROM cognifold.graph_edge AS g
                      WHERE g.tenant_id = tenant AND g.source_id = e.node_id AND g.target_id = e.other_id AND g.type = e.part AND g.bidirectional))
    ON CONFLICT DO NOTHING;
    -- A new node has the rank of a node without a row; one that is gone leaves a row behind.
    IF changes @? '$[*] ? (@.relation == "node" && @.before != null)' THEN
        INSERT INTO cognifold.rank_dirty (tenant_id, node_id)
        SELECT DISTINCT tenant, e.node_id
        FROM jsonb_to_recordset(changes) AS e (relation text, node_id uuid, before jsonb)
        WHERE e.relation = 'node' AND e.before <> 'null'
          AND NOT EXISTS (SELECT FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = e.node_id AND n.merged_into IS NULL)
        ON CONFLICT DO NOTHING;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.mark_ranks(text, jsonb) IS
    'Puts into rank_dirty the nodes whose edges out a plan changed. changes: its journal entries {relation, node_id, other_id, part, before}. Internal: record_plan calls it.';
