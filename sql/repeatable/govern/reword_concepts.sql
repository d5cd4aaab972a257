-- reword_concepts: gives concepts that lost evidence the state and the words that the evidence left makes of them.
CREATE OR REPLACE FUNCTION cognifold.reword_concepts(tenant text, concepts uuid[], lost jsonb) RETURNS void
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
    zone     text := (SELECT t.time_zone FROM cognifold.tenant AS t WHERE t.tenant_id = tenant);
    subject  record;
    latest   record;     -- of its events
    words    record;
    number   integer;    -- how many they are
BEGIN
    -- Those that stand first: what was merged is called as what it is now, a theme as its parts.
    FOR subject IN
        SELECT n.id, n.merged_into, EXISTS (
                   SELECT FROM cognifold.annotation AS a WHERE a.tenant_id = tenant AND a.node_id = n.id AND a.name = 'summary') AS is_summary
        FROM unnest(concepts) AS c (id)
        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = c.id
        JOIN cognifold.concept_state AS s ON s.tenant_id = tenant AND s.node_id = n.id
        ORDER BY n.merged_into IS NOT NULL, s.event_count = 0, n.id
    LOOP
        PERFORM cognifold.refresh_concept(tenant, subject.id);
        -- Strength and count as if what is lost had not been counted: by reinforcements alone, for it was not founded by more than it has.
        UPDATE cognifold.concept_state AS s
        SET evidence_count = c.number,
            strength = least(s.strength, 1, (settings ->> 'concept.initial_strength')::double precision
                                            + (settings ->> 'concept.strength_step')::double precision * greatest(0, c.number - c.founders))
        FROM (SELECT greatest(s.event_count, s.evidence_count - coalesce((lost ->> subject.id::text)::integer, 0)) AS number,
                     (SELECT count(*) FROM cognifold.graph_edge AS e
                      WHERE e.tenant_id = tenant AND e.target_id = subject.id AND e.type = 'grounds' AND NOT e.inferred) AS founders
              FROM cognifold.concept_state AS s WHERE s.tenant_id = tenant AND s.node_id = subject.id) AS c
        WHERE s.tenant_id = tenant AND s.node_id = subject.id AND lost ? subject.id::text;

        number := (SELECT s.event_count FROM cognifold.concept_state AS s WHERE s.tenant_id = tenant AND s.node_id = subject.id);
        SELECT array_agg(e.id ORDER BY e.occurred_at DESC, e.id DESC) AS ids, max(e.occurred_at) AS until INTO latest
        FROM (SELECT DISTINCT n.id, n.occurred_at
              FROM cognifold.graph_edge AS e JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = e.source_id
              WHERE e.tenant_id = tenant AND e.target_id = subject.id AND e.source_kind = 'event' AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred
              ORDER BY n.occurred_at DESC, n.id DESC LIMIT 32) AS e;   -- as many as retitling looks at
        IF subject.merged_into IS NOT NULL THEN
            SELECT n.title, n.title AS content INTO words FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = subject.merged_into;
        ELSIF latest.ids IS NULL THEN
            SELECT coalesce(t.title, 'Untitled') AS title, coalesce(t.title, 'Untitled') AS content INTO words
            FROM (SELECT cognifold.theme_title(tenant, subject.id) AS title) AS t;
        ELSIF subject.is_summary THEN
            SELECT cognifold.headline(n.title) AS title,
                   format('%s times%s, from %s to %s: %s', number, ' by ' || n.actor, to_char(v.since AT TIME ZONE zone, 'YYYY-MM-DD HH24:MI'),
                          to_char(latest.until AT TIME ZONE zone, 'YYYY-MM-DD HH24:MI'), left(c.content, 1000)) AS content, v.since
            INTO words
            FROM cognifold.node AS n
            JOIN cognifold.node_text AS c ON c.tenant_id = tenant AND c.node_id = n.id
            CROSS JOIN (SELECT min(n.occurred_at) AS since FROM cognifold.graph_edge AS e
                        JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = e.source_id
                        WHERE e.tenant_id = tenant AND e.target_id = subject.id AND e.source_kind = 'event'
                          AND e.type IN ('grounds', 'reinforces') AND NOT e.inferred) AS v
            WHERE n.tenant_id = tenant AND n.id = latest.ids[1];
            UPDATE cognifold.annotation AS a
            SET value = jsonb_strip_nulls(jsonb_build_object(
                'events', number, 'newest', latest.ids[1], 'former', latest.ids[2],
                'since', (to_jsonb(words.since AT TIME ZONE 'UTC') #>> '{}') || CASE WHEN isfinite(words.since) THEN 'Z' ELSE '' END,
                'until', (to_jsonb(latest.until AT TIME ZONE 'UTC') #>> '{}') || CASE WHEN isfinite(latest.until) THEN 'Z' ELSE '' END))
            WHERE a.tenant_id = tenant AND a.node_id = subject.id AND a.name = 'summary';
        ELSE
            SELECT t.title, t.title AS content INTO words
            FROM (SELECT coalesce(NULLIF(btrim(cognifold.concept_title(tenant, latest.ids, subject.id)), ''), 'Untitled') AS title OFFSET 0) AS t;
        END IF;

        UPDATE cognifold.node AS n SET title = words.title, reasoning = NULL WHERE n.tenant_id = tenant AND n.id = subject.id;
        UPDATE cognifold.node_content AS c SET content = words.content, payload = NULL, media = NULL WHERE c.tenant_id = tenant AND c.node_id = subject.id;
        DELETE FROM cognifold.lexical_document AS d WHERE d.tenant_id = tenant AND d.node_id = subject.id;
        IF subject.merged_into IS NULL THEN
            PERFORM cognifold.index_node(tenant, subject.id, settings);
        END IF;
    END LOOP;
END
$$;
COMMENT ON FUNCTION cognifold.reword_concepts(text, uuid[], jsonb) IS
    'Makes anew what concepts are by the evidence they have left: mass, vector and words of evidence (refresh_concept), title (concept_title of the 32 latest events; a summary''s own words; a theme''s from its parts) and content; reasoning and payload, which nothing derives, go. lost: {concept: how many of its events went}, which come off the evidence count and, where they had strengthened it, off the strength. Internal: forget_nodes calls it.';

CREATE OR REPLACE FUNCTION cognifold.theme_title(tenant text, theme uuid) RETURNS text
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
BEGIN
    RETURN (
        WITH part AS MATERIALIZED (
            SELECT DISTINCT n.id, n.title
            FROM (SELECT e.target_id AS id FROM cognifold.graph_edge AS e
                  WHERE e.tenant_id = tenant AND e.source_id = theme AND e.type = 'derived_from' AND NOT e.inferred
                  UNION ALL
                  SELECT e.source_id FROM cognifold.graph_edge AS e
                  WHERE e.tenant_id = tenant AND e.target_id = theme AND e.type = 'part_of' AND NOT e.inferred) AS p
            JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = p.id
        ), word AS (
            SELECT w.word[1] AS form, cognifold.lexeme(lower(w.word[1])) AS lexeme, p.id
            FROM part AS p CROSS JOIN LATERAL regexp_matches(p.title, '[[:alpha:]][[:alnum:]-]+', 'g') AS w (word)
        )
        SELECT coalesce(
            (SELECT upper(left(min(w.form), 1)) || substr(min(w.form), 2) FROM word AS w WHERE w.lexeme IS NOT NULL
             GROUP BY w.lexeme HAVING count(DISTINCT w.id) >= 2 ORDER BY count(DISTINCT w.id) DESC, w.lexeme LIMIT 1),
            (SELECT string_agg(p.title, ' / ' ORDER BY p.id) FROM (SELECT p.* FROM part AS p ORDER BY p.id LIMIT 2) AS p)));
END
$$;
COMMENT ON FUNCTION cognifold.theme_title(text, uuid) IS 'What to call a concept without events of its own: the word most of its parts have in their titles, else two of their titles. Internal.';
