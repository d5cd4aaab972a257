-- altered_nodes: concepts and intents that plans after a moment reworded, merged, removed or gave evidence.
CREATE OR REPLACE FUNCTION cognifold.altered_nodes(tenant text, moment timestamptz) RETURNS uuid[]
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT array_agg(a.node_id)
    FROM (SELECT i.node_id FROM cognifold.images_since(altered_nodes.tenant, altered_nodes.moment, 'node') AS i
          UNION
          SELECT i.node_id FROM cognifold.images_since(altered_nodes.tenant, altered_nodes.moment, 'concept_state') AS i) AS a
$$;
COMMENT ON FUNCTION cognifold.altered_nodes(text, timestamptz) IS 'The nodes that plans after a moment of transaction time altered, NULL for none. Internal: recall reads these from the journal.';
