-- has_provenance: whether a concept or intent rests on an event by what was stated, be it through other concepts.
CREATE OR REPLACE FUNCTION cognifold.has_provenance(tenant text, node_id uuid) RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN EXISTS (
        WITH RECURSIVE supporter AS (   -- a ring that stands on itself ends here, with no event in it
            SELECT has_provenance.node_id AS id, 'concept' AS kind
            UNION
            SELECT e.id, e.kind
            FROM supporter AS s
            CROSS JOIN LATERAL (
                SELECT g.source_id AS id, g.source_kind AS kind FROM cognifold.graph_edge AS g
                WHERE g.tenant_id = has_provenance.tenant AND g.target_id = s.id AND NOT g.inferred
                  AND g.type IN ('grounds', 'reinforces', 'triggers', 'part_of')
                UNION ALL
                SELECT g.target_id, g.target_kind FROM cognifold.graph_edge AS g
                WHERE g.tenant_id = has_provenance.tenant AND g.source_id = s.id AND NOT g.inferred AND g.type = 'derived_from'
            ) AS e
            WHERE s.kind <> 'event'
        )
        SELECT FROM supporter AS s WHERE s.kind = 'event');
END
$$;
COMMENT ON FUNCTION cognifold.has_provenance(text, uuid) IS
    'True if stated edges lead from the node to an event: grounds, reinforces, triggers and part_of to it, derived_from from it, through as many concepts as it takes. Internal.';
