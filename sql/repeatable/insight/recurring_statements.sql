-- recurring_statements: what some events state that has been stated before, day after day, and holds.
CREATE OR REPLACE FUNCTION cognifold.recurring_statements(tenant text, events uuid[], as_of timestamptz, zone text, settings jsonb)
RETURNS TABLE (aspect text, value text, held integer, total integer, said text, evidence uuid[])
LANGUAGE sql STABLE
SET search_path FROM CURRENT
-- A few rows by their keys, whatever the statistics say.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
    WITH attribute AS MATERIALIZED (
        SELECT DISTINCT s.subject, s.attribute
        FROM unnest(events) AS e (id)
        CROSS JOIN LATERAL (
            SELECT s.subject, s.attribute FROM cognifold.state_statement AS s
            WHERE s.tenant_id = recurring_statements.tenant AND s.event_id = e.id AND s.polarity = 'holds' LIMIT 20
        ) AS s
    ), said AS MATERIALIZED (
        SELECT s.*, (SELECT string_agg(DISTINCT w.word, ' ' ORDER BY w.word) FROM unnest((s.statement).value_words) AS w (word)) AS words
        FROM (SELECT a.subject, a.attribute, t.statement, (t.statement).event_id, (t.statement).occurred_at, (t.statement).place
              FROM attribute AS a
              CROSS JOIN LATERAL (
                  SELECT t AS statement FROM cognifold.state_statement AS t
                  WHERE t.tenant_id = recurring_statements.tenant AND t.subject = a.subject AND t.attribute = a.attribute
                    AND t.occurred_at <= recurring_statements.as_of AND t.polarity = 'holds'
                  ORDER BY t.occurred_at DESC, t.event_id DESC, t.place DESC LIMIT (settings ->> 'insight.evidence')::integer
              ) AS t) AS s
    ), repeated AS (
        SELECT s.subject, s.attribute, s.words, count(DISTINCT s.event_id)::integer AS held, sum(count(DISTINCT s.event_id)) OVER of_it::integer AS anything,
               sum(count(*)) OVER of_it >= (settings ->> 'insight.evidence')::integer AS may_be_more, count(DISTINCT (s.occurred_at AT TIME ZONE zone)::date) AS days,
               array_agg(DISTINCT s.event_id ORDER BY s.event_id) AS evidence,
               (array_agg(s.statement ORDER BY s.occurred_at DESC, s.event_id DESC, s.place DESC))[1] AS latest
        FROM said AS s
        WHERE s.words IS NOT NULL
        GROUP BY s.subject, s.attribute, s.words
        WINDOW of_it AS (PARTITION BY s.subject, s.attribute)
    )
    SELECT r.subject || '|' || r.attribute || '|' || r.words, r.words, r.held, CASE WHEN a.is_multiple THEN r.held ELSE r.anything END,
           format('%s, last on %s: "%s"',
                  CASE WHEN (r.latest).said_by = r.subject AND n.actor IS NOT NULL THEN format('%s said %s%s times', n.actor, CASE WHEN r.may_be_more THEN 'at least ' END, r.held)
                       ELSE format('It was said %s%s times', CASE WHEN r.may_be_more THEN 'at least ' END, r.held) END,
                  to_char((r.latest).occurred_at AT TIME ZONE zone, 'FMDD FMMonth YYYY'), rtrim(q.sentence, '.')),
           r.evidence
    FROM repeated AS r
    JOIN cognifold.state_attribute AS a ON a.tenant_id = recurring_statements.tenant AND a.subject = r.subject AND a.attribute = r.attribute
    JOIN cognifold.node AS n ON n.tenant_id = recurring_statements.tenant AND n.id = (r.latest).event_id
    JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
    CROSS JOIN LATERAL (   -- the sentence that says it
        SELECT left(replace(s.sentence, '․', '.'), 300) AS sentence
        FROM cognifold.sentences(NULL, regexp_replace(c.content, '\m(Dr|Mr|Mrs|Ms|Prof|St)\. ', '\1․ ', 'g')) AS s   -- their point ends no sentence
        ORDER BY (SELECT count(*) FROM cognifold.lexemes(s.sentence) AS l WHERE l.lexeme = ANY ((r.latest).value_words)) DESC, s.place LIMIT 1
    ) AS q
    WHERE r.days >= (settings ->> 'insight.said')::integer
      AND EXISTS (SELECT FROM cognifold.lexemes((r.latest).value) AS l WHERE l.lexeme ~ '[[:alnum:]]')   -- "it" says nothing
      AND NOT EXISTS (SELECT FROM cognifold.statement_end(r.latest, a.is_multiple, recurring_statements.as_of) AS e)
    ORDER BY 1
$$;
COMMENT ON FUNCTION cognifold.recurring_statements(text, uuid[], timestamptz, text, jsonb) IS
    'Statements of some events that were made on at least insight.said days and hold as of a moment: aspect (subject, attribute and value), held of total (of an attribute that has one value at a time, all statements of it), in words with the latest sentence that says so, and its events. Reads the latest insight.evidence statements of each attribute. Internal: find_insights calls it.';
