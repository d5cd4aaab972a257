-- conflicting_statements: pairs among events of which the later states otherwise what the earlier states.
CREATE OR REPLACE FUNCTION cognifold.conflicting_statements(tenant text, node_ids uuid[], clock timestamptz DEFAULT NULL)
RETURNS TABLE (node_id uuid, contradicted_by uuid, subject text, attribute text)
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT DISTINCT p.older, p.newer, p.subject, p.attribute
    FROM (
        SELECT o.event_id AS older, n.event_id AS newer, o.subject, o.attribute
        FROM cognifold.state_statement AS o
        JOIN cognifold.state_statement AS n
          ON n.tenant_id = o.tenant_id AND n.subject = o.subject AND n.attribute = o.attribute
         AND (n.occurred_at, n.event_id, n.place) > (o.occurred_at, o.event_id, o.place)
        JOIN cognifold.state_attribute AS a ON a.tenant_id = o.tenant_id AND a.subject = o.subject AND a.attribute = o.attribute
        WHERE o.tenant_id = conflicting_statements.tenant AND o.event_id = ANY (node_ids) AND n.event_id = ANY (node_ids) AND n.event_id <> o.event_id
          AND o.polarity = 'holds' AND n.occurred_at <= coalesce(clock, cognifold.now())
          AND (n.old_words && o.value_words
               OR n.polarity = 'holds' AND NOT (n.value_words @> o.value_words OR n.value_words <@ o.value_words)
                  AND (NOT a.is_multiple OR n.is_change AND n.old_words = '{}')
               OR n.polarity = 'ends' AND n.old_words = '{}')
    ) AS p
    ORDER BY 1, 2, 3, 4
$$;
COMMENT ON FUNCTION cognifold.conflicting_statements(text, uuid[], timestamptz) IS
    'Pairs among these events: node_id states what contradicted_by, later, says otherwise of the same subject and attribute. Internal: contradictions asks.';
