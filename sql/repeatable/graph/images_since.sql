-- images_since: the rows of a relation that plans after a moment changed, as they were known at that moment.
CREATE OR REPLACE FUNCTION cognifold.images_since(tenant text, moment timestamptz, relation text)
RETURNS TABLE (node_id uuid, other_id uuid, part text, image jsonb)
LANGUAGE plpgsql STABLE ROWS 100
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT DISTINCT ON (j.node_id, j.other_id, j.part) j.node_id, j.other_id, j.part, j.before
    FROM cognifold.plan AS p
    JOIN cognifold.journal AS j ON j.tenant_id = p.tenant_id AND j.plan_id = p.plan_id AND j.relation = images_since.relation
    WHERE p.tenant_id = images_since.tenant AND p.applied_at > images_since.moment
    ORDER BY j.node_id, j.other_id, j.part, p.version;
END
$$;
COMMENT ON FUNCTION cognifold.images_since(text, timestamptz, text) IS
    'Key and image of each row of a journaled relation that was changed after a moment of transaction time: what the first plan since then found, NULL where there was nothing. What is not listed stands as it stood. Costs what has changed since. Internal: edges_at, nodes_at and recall call it.';
