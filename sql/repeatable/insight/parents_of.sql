-- parents_of: the concepts that some concepts are parts of, and those among them that have parts themselves.
CREATE OR REPLACE FUNCTION cognifold.parents_of(tenant text, concepts uuid[]) RETURNS uuid[]
LANGUAGE sql STABLE
SET search_path FROM CURRENT
-- A few rows by their keys, whatever the statistics say.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
    SELECT coalesce(array_agg(DISTINCT n.id ORDER BY n.id), '{}')
    FROM (
        SELECT e.target_id AS id
        FROM unnest(concepts) AS c (id)
        CROSS JOIN LATERAL (
            SELECT e.target_id FROM cognifold.graph_edge AS e
            WHERE e.tenant_id = parents_of.tenant AND e.source_id = c.id AND e.type = 'part_of' AND e.target_kind = 'concept'
            ORDER BY e.potential DESC, e.target_id LIMIT 5
        ) AS e
        UNION
        SELECT c.id FROM unnest(concepts) AS c (id)
        WHERE EXISTS (SELECT FROM cognifold.graph_edge AS e
                      WHERE e.tenant_id = parents_of.tenant AND e.target_id = c.id AND e.type = 'part_of' AND e.source_kind = 'concept')
    ) AS p
    JOIN cognifold.node AS n ON n.tenant_id = parents_of.tenant AND n.id = p.id AND n.merged_into IS NULL
$$;
COMMENT ON FUNCTION cognifold.parents_of(text, uuid[]) IS
    'The concepts that these are part_of (of each the strongest five), and those of them that other concepts are part_of. Internal.';
