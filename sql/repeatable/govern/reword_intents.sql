-- reword_intents: gives intents that rested on what is forgotten the words of the evidence they have left.
CREATE OR REPLACE FUNCTION cognifold.reword_intents(tenant text, intents uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    settings jsonb := cognifold.settings(tenant);
    longest  CONSTANT integer := settings ->> 'intent.title_length';
    subject  record;
BEGIN
    FOR subject IN
        WITH evidence AS (   -- what it was grounded in; where that was a concept alone, the concept's
            SELECT i.id AS intent, e.source_id AS event, 1 AS rank
            FROM unnest(intents) AS i (id)
            JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.target_id = i.id AND e.source_kind = 'event' AND e.type IN ('grounds', 'triggers') AND NOT e.inferred
            UNION
            SELECT i.id, g.source_id, 2
            FROM unnest(intents) AS i (id)
            JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.target_id = i.id AND e.source_kind = 'concept' AND e.type = 'triggers' AND NOT e.inferred
            JOIN cognifold.graph_edge AS g ON g.tenant_id = tenant AND g.target_id = e.source_id AND g.source_kind = 'event' AND g.type IN ('grounds', 'reinforces') AND NOT g.inferred
        ), telling AS (
            SELECT v.intent, n.id, n.occurred_at, n.actor, cognifold.quoted_cue(tenant, n.id, longest) AS words
            FROM unnest(intents) AS i (id)
            CROSS JOIN LATERAL (
                SELECT v.intent, n.id, n.occurred_at, n.actor FROM evidence AS v JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = v.event
                WHERE v.intent = i.id ORDER BY v.rank, n.occurred_at DESC, n.id LIMIT 3
            ) AS n (intent, id, occurred_at, actor)
            CROSS JOIN LATERAL (SELECT n.intent) AS v
        )
        SELECT i.id, (SELECT c.title FROM cognifold.graph_edge AS e JOIN cognifold.node AS c ON c.tenant_id = tenant AND c.id = e.source_id
                      WHERE e.tenant_id = tenant AND e.target_id = i.id AND e.type = 'triggers' AND e.source_kind = 'concept' ORDER BY e.source_id LIMIT 1) AS matter,
               (array_agg(t.words ORDER BY t.occurred_at DESC, t.id))[1] AS words,
               E'What is left of its evidence:\n' || string_agg(format('%s%s: "%s"', to_char(t.occurred_at AT TIME ZONE z.time_zone, 'FMDD FMMonth'), ', ' || t.actor, t.words),
                                                             E'\n' ORDER BY t.occurred_at, t.id) AS reason
        FROM unnest(intents) AS i (id)
        JOIN cognifold.tenant AS z ON z.tenant_id = tenant
        LEFT JOIN telling AS t ON t.intent = i.id
        GROUP BY i.id
    LOOP
        UPDATE cognifold.node AS n SET title = coalesce(concat_ws(': ', subject.matter, subject.words), 'Untitled'), reasoning = NULL
        WHERE n.tenant_id = tenant AND n.id = subject.id;
        UPDATE cognifold.node_content AS c SET content = coalesce(subject.reason, subject.matter, 'Untitled'), payload = NULL, media = NULL
        WHERE c.tenant_id = tenant AND c.node_id = subject.id;
        DELETE FROM cognifold.lexical_document AS d WHERE d.tenant_id = tenant AND d.node_id = subject.id;
        PERFORM cognifold.index_node(tenant, subject.id, settings);
    END LOOP;
    -- Steps that quote an event which is still there stay; what a model or a person put otherwise may quote another.
    DELETE FROM cognifold.intent_action_state AS a USING unnest(intents) AS i (id)
    WHERE a.tenant_id = tenant AND a.node_id = i.id AND NOT (a.proposer = 'intent' AND a.event_id IS NOT NULL);
END
$$;
COMMENT ON FUNCTION cognifold.reword_intents(text, uuid[]) IS
    'Title and reason of intents from the sentences of the evidence they have left (quoted_cue); payload, reasoning and steps that no event left is quoted in go. Internal: forget_nodes calls it.';
