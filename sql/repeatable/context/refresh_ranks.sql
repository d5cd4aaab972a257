-- refresh_ranks: settles the stored ranks now, so that context_window reads what the last plan has made of the graph.
CREATE OR REPLACE FUNCTION cognifold.refresh_ranks(
    whole boolean DEFAULT false, tenant text DEFAULT cognifold.required_tenant()
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous  text := cognifold.enter_tenant(tenant);
    restarted bigint;
    settled   record;
BEGIN
    PERFORM cognifold.take_turn(tenant);
    -- Edges that came otherwise than by a plan (a bulk load) were never marked.
    IF whole OR NOT EXISTS (SELECT FROM cognifold.rank_arc AS a WHERE a.tenant_id = tenant) THEN
        restarted := cognifold.restart_ranks(tenant);
    END IF;
    SELECT s.* INTO settled FROM cognifold.settle_ranks(tenant, 9223372036854775807) AS s;
    PERFORM cognifold.leave_tenant(previous);
    RETURN jsonb_build_object('changed', coalesce(restarted, settled.changed), 'pushed', settled.pushed);
END
$$;
COMMENT ON FUNCTION cognifold.refresh_ranks(boolean, text) IS
    'Brings the stored PageRank up to date with every plan so far: {"changed": nodes whose rank is passed on differently, "pushed": corrections passed on}. Folding and sleeping do so themselves; a plan alone leaves it till enough nodes have changed (settings pagerank.dirty, pagerank.dirty_share). whole: computes all of it anew, for edges that came otherwise than by a plan; so does the first call of a tenant.';
