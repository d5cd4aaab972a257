-- density: how much evidence a concept and its neighbours hold at a moment, and how closely it hangs together.
CREATE OR REPLACE FUNCTION cognifold.density(
    concept uuid, as_of timestamptz DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS double precision
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    subject  uuid := cognifold.resolve_node(tenant, density.concept);
    result   double precision;
BEGIN
    IF NOT EXISTS (SELECT FROM cognifold.concept_state AS s WHERE s.tenant_id = tenant AND s.node_id = subject) THEN
        RAISE EXCEPTION 'node % is no concept of tenant "%"', coalesce(density.concept::text, 'NULL'), tenant
            USING ERRCODE = 'CF021', HINT = 'SELECT id, title FROM cognifold.concept lists them.';
    END IF;
    SELECT d.density INTO result FROM cognifold.cluster_density(tenant, subject, coalesce(as_of, cognifold.now())) AS d;
    PERFORM cognifold.leave_tenant(previous);
    RETURN result;
END
$$;
COMMENT ON FUNCTION cognifold.density(uuid, timestamptz, text) IS
    'Density of a concept''s cluster at as_of, in [0, 1]: (1 - exp(-M/2)) * (.5 + .5 * cohesion), where M is its evidence mass plus, for each concept it has a live stated edge with (contradicts excepted), weight * mass of that one; cohesion is the mean weight over all pairs of the cluster, 0 where two have no edge, and for a concept alone the mean cosine of its events to its embedding. Live: mass >= edge.fade and not faded at as_of. It says how much there is, not whether anything is wanted: emit_intents adds that.';
