-- row_images: the rows that some keys of the journal stand for, as they are now: what the journal keeps before they change.
CREATE OR REPLACE FUNCTION cognifold.row_images(tenant text, keys jsonb) RETURNS jsonb
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN (
        WITH wanted AS MATERIALIZED (
            SELECT k.relation, k.node_id, k.other_id, k.part, min(k.place) AS place
            FROM (SELECT r.*, a.ordinality AS place
                  FROM jsonb_array_elements(keys) WITH ORDINALITY AS a (value, ordinality)
                  CROSS JOIN LATERAL jsonb_to_record(a.value) AS r (relation text, node_id uuid, other_id uuid, part text)) AS k
            GROUP BY 1, 2, 3, 4
        )
        SELECT coalesce(jsonb_agg(jsonb_build_object(
                   'relation', w.relation, 'node_id', w.node_id, 'other_id', w.other_id, 'part', w.part,
                   'before', CASE w.relation
                       WHEN 'node' THEN (
                           SELECT to_jsonb(n) - 'tenant_id' - 'title_key'
                                  || jsonb_build_object('content', c.content, 'payload', c.payload, 'media', c.media)
                           FROM cognifold.node AS n
                           JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
                           WHERE n.tenant_id = row_images.tenant AND n.id = w.node_id)
                       WHEN 'graph_edge' THEN (
                           SELECT to_jsonb(e) - 'tenant_id' FROM cognifold.graph_edge AS e
                           WHERE e.tenant_id = row_images.tenant AND e.source_id = w.node_id AND e.target_id = w.other_id AND e.type = w.part)
                       WHEN 'concept_state' THEN (
                           SELECT jsonb_build_object('node_id', s.node_id, 'strength', s.strength, 'evidence_count', s.evidence_count,
                                                     'evidence_potential', s.evidence_potential)
                           FROM cognifold.concept_state AS s WHERE s.tenant_id = row_images.tenant AND s.node_id = w.node_id)
                       WHEN 'annotation' THEN (
                           SELECT to_jsonb(a) - 'tenant_id' FROM cognifold.annotation AS a
                           WHERE a.tenant_id = row_images.tenant AND a.node_id = w.node_id AND a.name = w.part)
                       WHEN 'insight_state' THEN (
                           SELECT to_jsonb(i) - 'tenant_id' FROM cognifold.insight_state AS i
                           WHERE i.tenant_id = row_images.tenant AND i.insight_id = w.node_id)
                       WHEN 'folded_event' THEN (
                           SELECT to_jsonb(f) - 'tenant_id' FROM cognifold.folded_event AS f
                           WHERE f.tenant_id = row_images.tenant AND f.event_id = w.node_id)
                       WHEN 'node_state' THEN (
                           SELECT to_jsonb(s) - 'tenant_id' FROM cognifold.node_state AS s
                           WHERE s.tenant_id = row_images.tenant AND s.node_id = w.node_id)
                       WHEN 'intent_state' THEN (
                           SELECT to_jsonb(s) - 'tenant_id' FROM cognifold.intent_state AS s
                           WHERE s.tenant_id = row_images.tenant AND s.node_id = w.node_id)
                       WHEN 'intent_transition' THEN (
                           SELECT to_jsonb(t) - 'tenant_id' FROM cognifold.intent_transition AS t
                           WHERE t.tenant_id = row_images.tenant AND t.node_id = w.node_id AND t.position = w.part::integer)
                       WHEN 'intent_action_state' THEN (
                           SELECT to_jsonb(a) - 'tenant_id' FROM cognifold.intent_action_state AS a
                           WHERE a.tenant_id = row_images.tenant AND a.node_id = w.node_id AND a.position = w.part::integer)
                       WHEN 'intent_feedback' THEN (
                           SELECT to_jsonb(f) - 'tenant_id' FROM cognifold.intent_feedback AS f
                           WHERE f.tenant_id = row_images.tenant AND f.node_id = w.node_id AND f.event_id = w.other_id AND f.category = w.part)
                   END) ORDER BY w.place), '[]')
        FROM wanted AS w);
END
$$;
COMMENT ON FUNCTION cognifold.row_images(text, jsonb) IS
    'Journal entries [{relation, node_id, other_id, part, before}] for keys of that form: before is the row as it is now, without its tenant (a node with its content; of concept_state what evidence does not derive), null where there is none. Internal.';
