-- place_nodes: which of a plan's ADD_NODEs are new, and which repeat a concept or a moment that is there, or each other.
CREATE OR REPLACE FUNCTION cognifold.place_nodes(tenant text, operations jsonb, moment timestamptz) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN (
        WITH wanted AS MATERIALIZED (
            SELECT o.position - 1 AS position, o.body, o.body ->> 'kind' AS kind, btrim(o.body ->> 'title') AS title,
                   (o.body ->> 'occurred_at')::timestamptz AS occurred_at, coalesce(o.body ->> 'precision', 'instant') AS precision
            FROM jsonb_array_elements(operations) WITH ORDINALITY AS o (body, position)
            WHERE o.body ->> 'op' = 'ADD_NODE'
        ), looked_up AS MATERIALIZED (
            SELECT w.*, cognifold.new_id() AS new_id,
                   CASE w.kind
                       WHEN 'concept' THEN cognifold.duplicate_concept(place_nodes.tenant, w.title, ARRAY(
                           SELECT cognifold.resolve_node(place_nodes.tenant, g.name::uuid)
                           FROM jsonb_array_elements_text(w.body -> 'grounded_in') AS g (name)
                           WHERE cognifold.is_uuid(g.name)))
                       WHEN 'time' THEN (SELECT n.id FROM cognifold.node AS n
                                         WHERE n.tenant_id = place_nodes.tenant AND n.kind = 'time' AND n.occurred_at = w.occurred_at
                                           AND n.occurred_precision = w.precision)
                   END AS repeats
            FROM wanted AS w
        ), alike AS (   -- a moment, or a concept by its title, named twice in one plan is one node, too
            SELECT l.*, row_number() OVER in_order AS rank, first_value(l.new_id) OVER in_order AS first_id,
                   min(l.repeats::text) OVER same_node AS known
            FROM looked_up AS l
            WINDOW same_node AS (PARTITION BY l.kind, CASE l.kind WHEN 'time' THEN l.occurred_at::text || l.precision
                                                                  WHEN 'concept' THEN lower(l.title)
                                                                  ELSE l.position::text END),
                   in_order AS (same_node ORDER BY l.position)
        )
        SELECT coalesce(jsonb_agg(jsonb_build_object(
                   'position', a.position, 'ref', a.body ->> 'ref', 'kind', a.kind, 'title', a.title,
                   'content', coalesce(a.body ->> 'content', a.title), 'reasoning', a.body ->> 'reasoning',
                   'memory_type', a.body ->> 'memory_type', 'privacy_level', a.body ->> 'privacy_level', 'payload', a.body -> 'payload',
                   'annotations', a.body -> 'annotations', 'occurred_at', coalesce(a.occurred_at, moment), 'precision', a.precision,
                   'grounded_in', CASE jsonb_typeof(a.body -> 'grounded_in') WHEN 'array' THEN a.body -> 'grounded_in' ELSE '[]' END,
                   'made', a.known IS NULL AND a.rank = 1, 'repeats', a.known, 'id', coalesce(a.known, a.first_id::text)) ORDER BY a.position), '[]')
        FROM alike AS a);
END
$$;
COMMENT ON FUNCTION cognifold.place_nodes(text, jsonb, timestamptz) IS
    'One object for each ADD_NODE: its fields, the id it goes by, made (it is new) and repeats (the stored node it stands for). Internal: execute_plan calls it.';
