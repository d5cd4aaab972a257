-- concept_neighbours: the concepts that are most like each of the given ones.
CREATE OR REPLACE FUNCTION cognifold.concept_neighbours(tenant text, concepts uuid[], bar double precision, maximum integer)
RETURNS TABLE (concept uuid, neighbour uuid, cosine numeric)
LANGUAGE plpgsql STABLE ROWS 100
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    own     cognifold.embedding_model := cognifold.tenant_model(tenant);
    ids     uuid[];
    vectors halfvec[];
BEGIN
    SELECT array_agg(e.node_id ORDER BY e.node_id), array_agg(e.vector ORDER BY e.node_id) INTO ids, vectors
    FROM unnest(concepts) AS c (id)
    JOIN cognifold.embedding AS e ON e.tenant_id = tenant AND e.model_id = own.model_id AND e.kind = 'concept' AND e.node_id = c.id;
    RETURN QUERY SELECT n.asking, n.neighbour, n.cosine FROM cognifold.near_of_kind(tenant, 'concept', ids, vectors, bar, maximum) AS n;
END
$$;
COMMENT ON FUNCTION cognifold.concept_neighbours(text, uuid[], double precision, integer) IS
    'For each of the given concepts up to maximum others whose cosine to it is at least bar, as near_of_kind finds them. Internal: steps of a pass.';
