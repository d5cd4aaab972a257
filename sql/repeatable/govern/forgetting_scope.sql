-- forgetting_scope: what goes together with some nodes, and what rested on them and stays with other words.
--
--   the named ─► what was ever made of them (edges of today and of the journal, merges, plans of a model or person that speak of them)
--        ─► stays, where something stated that stays holds it up  |  else goes, too
--
-- Read from what is there, before anything changes: a dry run and the deed see the same.
CREATE OR REPLACE FUNCTION cognifold.forgetting_scope(
    tenant text, named uuid[], OUT gone uuid[], OUT shaken uuid[], OUT insights uuid[], OUT answered uuid[], OUT telling uuid[]
)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
-- Rows by their keys, whatever the statistics say.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    upward   CONSTANT text[] := ARRAY['grounds', 'reinforces', 'triggers', 'part_of'];   -- the source is what the target was made of
    reached  uuid[];
    frontier uuid[] := named;
    standing uuid[] := '{}';
    more     uuid[];
BEGIN
    -- 1. Plans of a model or a person that speak of the named: whatever they worded may paraphrase them.
    SELECT coalesce(array_agg(p.plan_id ORDER BY p.plan_id), '{}') INTO telling
    FROM (SELECT DISTINCT m.plan_id FROM cognifold.plans_about(tenant, named) AS m) AS m
    JOIN cognifold.plan AS p ON p.tenant_id = tenant AND p.plan_id = m.plan_id AND p.proposer IN ('llm', 'user');
    -- (Also of what is no more, and only the journal knows.)
    SELECT coalesce(array_agg(DISTINCT j.node_id), '{}') INTO reached
    FROM unnest(telling) AS t (plan_id)
    JOIN cognifold.journal AS j ON j.tenant_id = tenant AND j.plan_id = t.plan_id AND j.relation IN ('node', 'annotation', 'intent_action_state')
    WHERE j.node_id <> ALL (named)
      AND NOT EXISTS (SELECT FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = j.node_id AND n.kind NOT IN ('concept', 'intent'));
    reached := named || reached;
    frontier := reached;

    -- 2. What was ever made of them, step by step.
    WHILE cardinality(frontier) > 0 LOOP
        SELECT coalesce(array_agg(DISTINCT r.id), '{}') INTO more
        FROM (
            SELECT e.target_id AS id FROM unnest(frontier) AS f (id)
            JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.source_id = f.id AND e.type = ANY (upward) AND NOT e.inferred
            UNION
            SELECT e.source_id FROM unnest(frontier) AS f (id)
            JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.target_id = f.id AND e.type = 'derived_from' AND NOT e.inferred
            UNION   -- edges that are no more
            SELECT CASE j.part WHEN 'derived_from' THEN j.node_id ELSE j.other_id END
            FROM unnest(frontier) AS f (id)
            CROSS JOIN LATERAL (
                SELECT j.* FROM cognifold.journal AS j
                WHERE j.tenant_id = tenant AND j.node_id = f.id AND j.relation = 'graph_edge' AND j.part = ANY (upward)
                UNION ALL
                SELECT j.* FROM cognifold.journal AS j
                WHERE j.tenant_id = tenant AND j.other_id = f.id AND j.relation = 'graph_edge' AND j.part = 'derived_from'
            ) AS j
            WHERE NOT coalesce((j.before ->> 'inferred')::boolean, false)
              AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS e
                              WHERE e.tenant_id = tenant AND e.source_id = j.node_id AND e.target_id = j.other_id AND e.type = j.part)
            UNION
            SELECT n.merged_into FROM unnest(frontier) AS f (id)
            JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = f.id AND n.merged_into IS NOT NULL
        ) AS r
        WHERE r.id <> ALL (reached);
        reached := reached || more;
        frontier := more;
    END LOOP;

    -- 3. What of that stands: by an event that stays, or by what stands itself. An intent that events voiced needs one of them.
    SELECT coalesce(array_agg(DISTINCT r.id), '{}') INTO shaken FROM unnest(reached) AS r (id) WHERE r.id <> ALL (named);
    LOOP
        SELECT coalesce(array_agg(DISTINCT s.id), '{}') INTO more
        FROM unnest(shaken) AS s (id)
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = s.id
        WHERE n.id <> ALL (standing)
          AND CASE WHEN n.merged_into IS NOT NULL THEN n.merged_into = ANY (standing) OR n.merged_into <> ALL (reached)
              ELSE EXISTS (
                  SELECT FROM (
                      SELECT e.source_id AS id FROM cognifold.graph_edge AS e
                      WHERE e.tenant_id = tenant AND e.target_id = n.id AND e.type = ANY (upward) AND NOT e.inferred
                        AND (n.kind <> 'intent' OR e.source_kind = 'event' OR NOT EXISTS (
                                SELECT FROM cognifold.graph_edge AS v
                                WHERE v.tenant_id = tenant AND v.target_id = n.id AND v.type IN ('grounds', 'triggers') AND v.source_kind = 'event' AND NOT v.inferred))
                      UNION ALL
                      SELECT e.target_id FROM cognifold.graph_edge AS e
                      WHERE e.tenant_id = tenant AND e.source_id = n.id AND e.type = 'derived_from' AND NOT e.inferred
                  ) AS v WHERE v.id <> ALL (reached) OR v.id = ANY (standing)) END;
        EXIT WHEN more = '{}';
        standing := standing || more;
    END LOOP;
    gone := named || ARRAY(SELECT s.id FROM unnest(shaken) AS s (id) WHERE s.id <> ALL (standing));
    -- What was merged into something that goes has no other to lead to.
    gone := gone || ARRAY(SELECT n.id FROM unnest(gone) AS g (id) JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.merged_into = g.id WHERE n.id <> ALL (gone));
    -- Moments that only they named.
    SELECT standing || coalesce(array_agg(t.id) FILTER (WHERE t.stays), '{}'), gone || coalesce(array_agg(t.id) FILTER (WHERE NOT t.stays), '{}')
    INTO shaken, gone
    FROM (
        SELECT t.id, EXISTS (
                   SELECT FROM (SELECT e.target_id AS id FROM cognifold.graph_edge AS e WHERE e.tenant_id = tenant AND e.source_id = t.id
                                UNION ALL
                                SELECT e.source_id FROM cognifold.graph_edge AS e WHERE e.tenant_id = tenant AND e.target_id = t.id) AS o
                   WHERE o.id <> ALL (gone)) AS stays
        FROM (SELECT e.source_id AS id FROM unnest(gone) AS g (id)
              JOIN cognifold.graph_edge AS e ON e.tenant_id = tenant AND e.target_id = g.id AND e.type = 'deadline_for'
              UNION
              SELECT j.node_id FROM unnest(gone) AS g (id)
              JOIN cognifold.journal AS j ON j.tenant_id = tenant AND j.other_id = g.id AND j.relation = 'graph_edge' AND j.part = 'deadline_for') AS t
        WHERE t.id <> ALL (gone)
    ) AS t;

    -- 4. Findings about them, or resting on them: counted over what is no more. The next pass finds what still holds.
    SELECT coalesce(array_agg(DISTINCT i.insight_id), '{}') INTO insights
    FROM (
        SELECT i.insight_id FROM unnest(gone || shaken) AS g (id)
        JOIN cognifold.insight_state AS i ON i.tenant_id = tenant AND i.node_id = g.id
        UNION
        SELECT i.insight_id FROM cognifold.insight_state AS i WHERE i.tenant_id = tenant AND i.from_concepts AND i.derived_from && (gone || shaken)
        UNION   -- of no concept, or of one that they are no evidence for
        SELECT i.insight_id
        FROM (SELECT DISTINCT m.plan_id FROM cognifold.plans_about(tenant, gone) AS m) AS m
        JOIN cognifold.journal AS j ON j.tenant_id = tenant AND j.plan_id = m.plan_id AND j.relation = 'insight_state'
        JOIN cognifold.insight_state AS i ON i.tenant_id = tenant AND i.insight_id = j.node_id
        WHERE i.derived_from && gone
           OR EXISTS (SELECT FROM cognifold.journal AS h
                      WHERE h.tenant_id = tenant AND h.node_id = i.insight_id AND h.relation = 'insight_state'
                        AND h.before -> 'derived_from' ?| gone::text[])
    ) AS i;

    -- 5. Intents that they answered or closed: a step stays, without whose word it was.
    SELECT coalesce(array_agg(DISTINCT t.node_id), '{}') INTO answered
    FROM unnest(gone) AS g (id)
    JOIN cognifold.intent_transition AS t ON t.tenant_id = tenant AND t.event_id = g.id
    WHERE t.node_id <> ALL (gone);
END
$$;
COMMENT ON FUNCTION cognifold.forgetting_scope(text, uuid[]) IS
    'What forgetting some nodes comes to. gone: they, and the concepts, intents and moments that nothing else holds up, or that were made of them and only the journal knows; shaken: concepts, intents and moments that rested on them, now or ever, and stay; insights: findings that counted them; answered: intents that stay, though a step of theirs was brought about by what goes; telling: plans of a model or a person that speak of the named. Writes nothing. Internal: forget calls it.';
