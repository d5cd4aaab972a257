-- shared_insights: what several parts of one concept have in common: a regularity found of each of them is a principle of the whole.
CREATE OR REPLACE FUNCTION cognifold.shared_insights(tenant text, parents uuid[], concepts uuid[], found jsonb, settings jsonb) RETURNS jsonb
LANGUAGE sql STABLE
SET search_path FROM CURRENT
-- A few rows by their keys, whatever the statistics say.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
    WITH part AS MATERIALIZED (
        SELECT p.id AS parent, m.title AS whole, e.source_id AS id, n.title
        FROM unnest(parents) AS p (id)
        JOIN cognifold.node AS m ON m.tenant_id = shared_insights.tenant AND m.id = p.id
        CROSS JOIN LATERAL (
            SELECT e.source_id FROM cognifold.graph_edge AS e
            WHERE e.tenant_id = shared_insights.tenant AND e.target_id = p.id AND e.type = 'part_of' AND e.source_kind = 'concept'
            ORDER BY e.potential DESC, e.source_id LIMIT (settings ->> 'insight.evidence')::integer
        ) AS e
        JOIN cognifold.node AS n ON n.tenant_id = shared_insights.tenant AND n.id = e.source_id AND n.merged_into IS NULL
    ), finding AS (   -- as found now, and of concepts that did not change as stated
        SELECT p.parent, p.whole, p.id, p.title, f.kind, f.figures ->> 'value' AS value
        FROM part AS p JOIN jsonb_to_recordset(found) AS f (node uuid, kind text, figures jsonb) ON f.node = p.id
        UNION ALL
        SELECT p.parent, p.whole, p.id, p.title, i.kind, i.figures ->> 'value'
        FROM part AS p
        JOIN cognifold.insight_state AS i ON i.tenant_id = shared_insights.tenant AND i.node_id = p.id AND i.closed_at IS NULL
        WHERE p.id <> ALL (concepts)
    ), common AS (
        SELECT f.parent, f.whole, f.kind, f.value, count(*)::integer AS held, (SELECT count(*)::integer FROM part AS o WHERE o.parent = f.parent) AS total,
               jsonb_agg(f.id ORDER BY f.id) AS ids, string_agg('"' || f.title || '"', ', ' ORDER BY f.title, f.id) AS titles
        FROM finding AS f WHERE f.kind IN ('actor', 'time_of_day', 'weekday', 'shift', 'frequency', 'tone')
        GROUP BY f.parent, f.whole, f.kind, f.value
    )
    SELECT coalesce(jsonb_agg(jsonb_build_object(
               'node', c.parent, 'kind', 'shared', 'aspect', c.kind, 'abstraction_level', 'principle', 'grounded_in', c.ids,
               'confidence', round(cognifold.wilson_bound(c.held, c.total)::numeric, 3),
               'figures', jsonb_build_object('held', c.held, 'total', c.total, 'value', c.value),
               'insight', left(format('"%s" %s: %s of its %s parts (%s)', c.whole, CASE c.kind
                   WHEN 'actor' THEN 'is mostly by ' || c.value
                   WHEN 'time_of_day' THEN 'is usually ' || CASE c.value WHEN 'night' THEN 'at night' ELSE 'in the ' || c.value END
                   WHEN 'weekday' THEN format('falls on %ss', c.value)
                   WHEN 'shift' THEN format('moved from %ss to %ss', split_part(c.value, ' ', 1), split_part(c.value, ' ', 3))
                   WHEN 'frequency' THEN format('became %s frequent', c.value)
                   ELSE 'turned from ' || c.value END, c.held, c.total, c.titles), 1000))
               ORDER BY c.parent, c.kind), '[]')
    FROM common AS c
    WHERE c.held >= (settings ->> 'insight.parts')::integer AND c.held >= (settings ->> 'insight.share')::double precision * c.total
$$;
COMMENT ON FUNCTION cognifold.shared_insights(text, uuid[], uuid[], jsonb, jsonb) IS
    'Findings about concepts with parts: a regularity of the same kind and value of at least insight.parts of the parts and insight.share of all of them, as found now for the given concepts and as stated for the others. Internal: find_insights calls it.';
