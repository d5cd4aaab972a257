-- retitling: the operation that names a concept by its latest events and a new one, or no operation if the name stays.
CREATE OR REPLACE FUNCTION cognifold.retitling(tenant text, concept uuid, present text, event_id uuid) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT CASE WHEN t.title = present THEN '[]'::jsonb
                ELSE jsonb_build_array(jsonb_build_object(
                    'op', 'UPDATE_NODE', 'node', concept, 'title', t.title, 'grounded_in', jsonb_build_array(event_id),
                    'reasoning', format('named "%s" when it had half as many events', present))) END
    FROM (SELECT cognifold.concept_title(tenant, ARRAY(
              SELECT n.id
              FROM cognifold.node AS n
              WHERE n.tenant_id = retitling.tenant AND n.id IN (
                  SELECT e.source_id FROM cognifold.graph_edge AS e
                  WHERE e.tenant_id = retitling.tenant AND e.target_id = concept AND e.source_kind = 'event'
                    AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred)
              ORDER BY n.occurred_at DESC, n.id DESC
              LIMIT 31) || event_id, concept) AS title
          OFFSET 0) AS t   -- or it would be made wherever it is named
$$;
COMMENT ON FUNCTION cognifold.retitling(text, uuid, text, uuid) IS 'UPDATE_NODE for a concept whose events call for another title, as an array of one or no operation. Internal.';
