-- statement_end: the statement that ended another one as of a moment: the first after it of the same subject and attribute that
-- says something else.
CREATE OR REPLACE FUNCTION cognifold.statement_end(said cognifold.state_statement, is_multiple boolean, clock timestamptz, known_at timestamptz DEFAULT NULL)
RETURNS TABLE (ended_at timestamptz, ended_by uuid)
LANGUAGE sql STABLE
-- No SET clause: the planner inlines it.
AS $$
    SELECT n.occurred_at, n.event_id
    FROM cognifold.state_statement AS n
    WHERE n.tenant_id = (said).tenant_id AND n.subject = (said).subject AND n.attribute = (said).attribute
      AND (n.occurred_at, n.event_id, n.place) > ((said).occurred_at, (said).event_id, (said).place) AND n.occurred_at <= clock
      AND (n.old_words && (said).value_words
           OR n.polarity = 'holds' AND NOT (n.value_words @> (said).value_words OR n.value_words <@ (said).value_words)
              AND (NOT is_multiple OR n.is_change AND n.old_words = '{}')
           OR n.polarity = 'ends' AND n.old_words = '{}')
      AND (known_at IS NULL OR EXISTS (SELECT FROM cognifold.node AS k WHERE k.tenant_id = n.tenant_id AND k.id = n.event_id AND k.recorded_at <= known_at))
    ORDER BY n.occurred_at, n.event_id, n.place
    LIMIT 1
$$;
COMMENT ON FUNCTION cognifold.statement_end(cognifold.state_statement, boolean, timestamptz, timestamptz) IS
    'When a statement ceased to hold and by which event, as of clock: another value of an attribute that has one at a time, a change or an end that names no other value, or words that deny this one; no row while it holds. Internal.';
