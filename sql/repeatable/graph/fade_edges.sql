-- fade_edges: takes edges whose mass has fallen below edge.fade out of the live graph. They stay as provenance.
CREATE OR REPLACE FUNCTION cognifold.fade_edges(tenant text, as_of timestamptz, maximum integer) RETURNS jsonb
LANGUAGE sql VOLATILE
SET search_path FROM CURRENT
AS $$
    WITH due AS MATERIALIZED (   -- weakest first, by the index graph_edge_fading
        SELECT e.*
        FROM cognifold.fading_bars(tenant, as_of) AS b
        CROSS JOIN LATERAL (
            SELECT g.* FROM cognifold.graph_edge AS g
            WHERE g.tenant_id = fade_edges.tenant AND g.rate = b.rate AND g.faded_at IS NULL AND g.potential < b.bar
            ORDER BY g.potential LIMIT maximum
        ) AS e
        LIMIT maximum
    ), faded AS (
        UPDATE cognifold.graph_edge AS g SET faded_at = as_of
        FROM due AS d
        WHERE g.tenant_id = fade_edges.tenant AND g.source_id = d.source_id AND g.target_id = d.target_id AND g.type = d.type
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'relation', 'graph_edge', 'node_id', d.source_id, 'other_id', d.target_id, 'part', d.type,
               'before', to_jsonb(d) - 'tenant_id') ORDER BY d.source_id, d.target_id, d.type), '[]')
    FROM due AS d
$$;
COMMENT ON FUNCTION cognifold.fade_edges(text, timestamptz, integer) IS
    'Marks up to maximum live edges whose mass at as_of is below edge.fade as faded, and returns the journal entries. Internal: execute_plan calls it for FADE_EDGES.';
