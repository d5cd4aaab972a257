-- potential_at: the potential an edge had at a moment: the edge's own, or before its last statement the journal's image of it.
CREATE OR REPLACE FUNCTION cognifold.potential_at(tenant text, source_id uuid, target_id uuid, type text, as_of timestamptz)
RETURNS double precision
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT CASE WHEN potential_at.as_of IS NULL OR e.stamped_at <= potential_at.as_of THEN e.potential
                -- Statements only add, so the largest of the images is the last. What was taken back was never so.
                ELSE (SELECT max((j.before ->> 'potential')::double precision)
                      FROM cognifold.journal AS j
                      JOIN cognifold.plan AS p ON p.tenant_id = j.tenant_id AND p.plan_id = j.plan_id AND p.status = 'applied' AND p.undoes IS NULL
                      WHERE j.tenant_id = e.tenant_id AND j.node_id = e.source_id AND j.other_id = e.target_id
                        AND j.relation = 'graph_edge' AND j.part = e.type
                        AND (j.before ->> 'stamped_at')::timestamptz <= potential_at.as_of) END
    FROM cognifold.graph_edge AS e
    WHERE e.tenant_id = potential_at.tenant AND e.source_id = potential_at.source_id
      AND e.target_id = potential_at.target_id AND e.type = potential_at.type
$$;
COMMENT ON FUNCTION cognifold.potential_at(text, uuid, uuid, text, timestamptz) IS
    'The potential of an edge as of a moment of event time (NULL: as it is), NULL where nothing had stated the edge yet. Internal.';
