-- provenance_removers: later plans that took evidence away from what would rest on nothing if a plan were undone.
CREATE OR REPLACE FUNCTION cognifold.provenance_removers(tenant text, plan_id uuid) RETURNS TABLE (remover uuid)
LANGUAGE plpgsql STABLE ROWS 5
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH RECURSIVE wrote AS MATERIALIZED (
        SELECT j.relation, j.node_id, j.other_id, j.part, j.before, coalesce((j.before ->> 'inferred')::boolean, true) AS was_inferred
        FROM cognifold.journal AS j WHERE j.tenant_id = provenance_removers.tenant AND j.plan_id = provenance_removers.plan_id
    ), lost AS MATERIALIZED (   -- what has stated support today that the undo takes away
        SELECT DISTINCT CASE w.part WHEN 'derived_from' THEN w.node_id ELSE w.other_id END AS id
        FROM wrote AS w
        JOIN cognifold.graph_edge AS e ON e.tenant_id = provenance_removers.tenant AND e.source_id = w.node_id AND e.target_id = w.other_id
             AND e.type = w.part AND NOT e.inferred
        WHERE w.relation = 'graph_edge' AND w.part IN ('grounds', 'reinforces', 'triggers', 'part_of', 'derived_from') AND w.was_inferred
    ), supporter AS (           -- what it would rest on afterwards: the edges of today without the plan's, and those that come back
        SELECT n.id AS subject, n.id, n.kind
        FROM lost AS l
        JOIN cognifold.node AS n ON n.tenant_id = provenance_removers.tenant AND n.id = l.id AND n.kind IN ('concept', 'intent') AND n.merged_into IS NULL
        WHERE NOT EXISTS (SELECT FROM wrote AS w WHERE w.relation = 'node' AND w.node_id = l.id AND w.before IS NULL)
        UNION
        SELECT s.subject, e.id, e.kind
        FROM supporter AS s
        CROSS JOIN LATERAL (
            SELECT CASE g.type WHEN 'derived_from' THEN g.target_id ELSE g.source_id END AS id,
                   CASE g.type WHEN 'derived_from' THEN g.target_kind ELSE g.source_kind END AS kind
            FROM (SELECT g.* FROM cognifold.graph_edge AS g
                  WHERE g.tenant_id = provenance_removers.tenant AND g.target_id = s.id AND g.type IN ('grounds', 'reinforces', 'triggers', 'part_of')
                  UNION ALL
                  SELECT g.* FROM cognifold.graph_edge AS g
                  WHERE g.tenant_id = provenance_removers.tenant AND g.source_id = s.id AND g.type = 'derived_from') AS g
            WHERE NOT g.inferred
              AND NOT EXISTS (SELECT FROM wrote AS w
                              WHERE w.relation = 'graph_edge' AND w.node_id = g.source_id AND w.other_id = g.target_id AND w.part = g.type)
            UNION ALL
            SELECT CASE w.part WHEN 'derived_from' THEN w.other_id ELSE w.node_id END,
                   w.before ->> CASE w.part WHEN 'derived_from' THEN 'target_kind' ELSE 'source_kind' END
            FROM wrote AS w
            WHERE w.relation = 'graph_edge' AND NOT w.was_inferred
              AND CASE WHEN w.part = 'derived_from' THEN w.node_id = s.id
                       WHEN w.part IN ('grounds', 'reinforces', 'triggers', 'part_of') THEN w.other_id = s.id
                       ELSE false END
        ) AS e
        WHERE s.kind <> 'event'
    ), unfounded AS (
        SELECT s.id FROM supporter AS s
        WHERE s.subject NOT IN (SELECT f.subject FROM supporter AS f WHERE f.kind = 'event')
    )
    SELECT DISTINCT j.plan_id
    FROM unfounded AS u
    CROSS JOIN LATERAL (
        SELECT j.* FROM cognifold.journal AS j
        WHERE j.tenant_id = provenance_removers.tenant AND j.other_id = u.id AND j.part IN ('grounds', 'reinforces', 'triggers', 'part_of')
        UNION ALL
        SELECT j.* FROM cognifold.journal AS j
        WHERE j.tenant_id = provenance_removers.tenant AND j.node_id = u.id AND j.part = 'derived_from'
    ) AS j
    WHERE j.relation = 'graph_edge' AND NOT (j.before ->> 'inferred')::boolean
      AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                      WHERE g.tenant_id = provenance_removers.tenant AND g.source_id = j.node_id AND g.target_id = j.other_id AND g.type = j.part);
END
$$;
COMMENT ON FUNCTION cognifold.provenance_removers(text, uuid) IS
    'Plans that removed stated evidence of a concept or intent that would have none left if this plan were undone; no row where none would be left so. Internal: dependent_plans calls it.';
