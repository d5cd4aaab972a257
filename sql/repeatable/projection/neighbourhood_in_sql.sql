-- neighbourhood_in_sql: what can be reached from a node, ring by ring, from the tables.
CREATE OR REPLACE FUNCTION cognifold.neighbourhood_in_sql(tenant text, start uuid, hops integer, reach bigint)
RETURNS TABLE (hop integer, id uuid)
LANGUAGE plpgsql STABLE ROWS 1000
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
    ring uuid[] := ARRAY[start];
    seen uuid[] := ARRAY[start];
BEGIN
    FOR distance IN 1 .. hops LOOP
        ring := ARRAY(
            SELECT e.id FROM unnest(ring) AS r (id) CROSS JOIN LATERAL cognifold.live_ends(tenant, r.id) AS e
            EXCEPT
            SELECT s.id FROM unnest(seen) AS s (id));
        EXIT WHEN ring = '{}';
        seen := seen || ring;
        IF cardinality(seen) > reach THEN
            PERFORM cognifold.beyond_reach('graph_neighbourhood', reach);
        END IF;
        RETURN QUERY SELECT distance, r.id FROM unnest(ring) AS r (id);
    END LOOP;
END
$$;
COMMENT ON FUNCTION cognifold.neighbourhood_in_sql(text, uuid, integer, bigint) IS
    'Nodes at 1 to hops live edges from start, each once, with its distance; CF053 beyond reach nodes. Internal.';
