-- add_edges: writes the edges that place_edges found wanted: new ones, and more mass on those that are there.
CREATE OR REPLACE FUNCTION cognifold.add_edges(tenant text, wanted_edges jsonb, plan_id uuid, clock timestamptz) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    INSERT INTO cognifold.graph_edge AS e
        (tenant_id, source_id, target_id, type, source_kind, target_kind, rate, potential, stamped_at, created_at, inferred, bidirectional,
         metadata, plan_id)
    SELECT tenant, w.source_id, w.target_id, w.type, w.source_kind, w.target_kind, w.rate, w.potential, w.stamp, clock, w.inferred,
           w.bidirectional, NULLIF(w.metadata, 'null'), plan_id
    FROM jsonb_to_recordset(wanted_edges) AS w
        (source_id uuid, target_id uuid, type text, source_kind text, target_kind text, rate text, potential double precision,
         stamp timestamptz, inferred boolean, bidirectional boolean, metadata jsonb)
    ON CONFLICT ON CONSTRAINT graph_edge_pkey DO UPDATE
        SET potential = cognifold.logaddexp(e.potential, excluded.potential),
            stamped_at = greatest(e.stamped_at, excluded.stamped_at),
            inferred = e.inferred AND excluded.inferred,
            bidirectional = e.bidirectional OR excluded.bidirectional,
            metadata = coalesce(e.metadata || excluded.metadata, e.metadata, excluded.metadata),
            faded_at = NULL;

    RETURN (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
                   'relation', 'graph_edge', 'node_id', w.source_id, 'other_id', w.target_id, 'part', w.type, 'before', w.before)
                   ORDER BY w.position, w.source_id, w.target_id, w.type), '[]')
        FROM jsonb_to_recordset(wanted_edges) AS w (position bigint, source_id uuid, target_id uuid, type text, before jsonb));
END
$$;
COMMENT ON FUNCTION cognifold.add_edges(text, jsonb, uuid, timestamptz) IS
    'Adds or reinforces edges as place_edges worked them out, and returns the journal entries. A faded edge that is stated again lives again. Internal: execute_plan calls it.';
