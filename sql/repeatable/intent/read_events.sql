-- read_events: reads the cues of events that have not been read with the present ones.
CREATE OR REPLACE FUNCTION cognifold.read_events(tenant text, events uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    present CONSTANT text := cognifold.cue_edition();
BEGIN
    WITH unread AS MATERIALIZED (
        SELECT n.id, n.title, c.content
        FROM cognifold.node AS n
        JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
        WHERE n.tenant_id = read_events.tenant AND n.id = ANY (events)
          AND NOT EXISTS (SELECT FROM cognifold.cue_reading AS k
                          WHERE k.tenant_id = n.tenant_id AND k.node_id = n.id AND k.edition = present)
    ), counting AS MATERIALIZED (
        SELECT c.kind, '(?:^|[^\w''])(?:' || string_agg(c.pattern, '|' ORDER BY length(c.pattern) DESC, c.pattern) || ')(?![\w''])' AS expression
        FROM cognifold.intent_cue AS c WHERE c.kind IN ('lack', 'again')
        GROUP BY c.kind
    ), counted AS (
        SELECT u.id, max(regexp_count(t.plain, k.expression)) FILTER (WHERE k.kind = 'lack') AS lacks,
               max(regexp_count(t.plain, k.expression)) FILTER (WHERE k.kind = 'again') AS again, max(regexp_count(t.plain, '\S+')) AS words
        FROM unread AS u
        CROSS JOIN LATERAL (
            SELECT lower(string_agg(s.sentence, ' ' ORDER BY s.place)) AS plain FROM cognifold.sentences(u.title, u.content) AS s
        ) AS t
        CROSS JOIN counting AS k
        GROUP BY u.id
    ), found AS MATERIALIZED (
        SELECT u.id, m.sentence, lower(m.phrase) AS phrase, m.weight, m.is_need
        FROM unread AS u CROSS JOIN LATERAL cognifold.cue_matches(u.title, u.content) AS m
    ), named AS MATERIALIZED (   -- each word is looked up among the actors' names, not each name in the sentence: a tenant may have many
        SELECT DISTINCT f.id, cognifold.lexeme(a.word) AS lexeme
        FROM found AS f
        CROSS JOIN LATERAL cognifold.name_words(f.sentence) AS w (word)
        CROSS JOIN LATERAL (SELECT k.word FROM cognifold.actor_name AS k WHERE k.tenant_id = read_events.tenant AND k.word = w.word LIMIT 1) AS a
        WHERE f.is_need
    ), summed AS (   -- each wording counts once, however often it is said; the product of chances, by logarithms
        SELECT f.id, 1 - exp(sum(ln(1 - f.weight) ORDER BY f.weight) FILTER (WHERE f.is_need)) AS need,
               1 - exp(sum(ln(1 - f.weight) ORDER BY f.weight) FILTER (WHERE NOT f.is_need)) AS done
        FROM (SELECT DISTINCT f.id, f.phrase, f.weight, f.is_need FROM found AS f) AS f
        GROUP BY f.id
    )
    INSERT INTO cognifold.cue_reading AS r (tenant_id, node_id, edition, need, done, lacks, again, words, about)
    SELECT read_events.tenant, u.id, present, coalesce(s.need, 0), coalesce(s.done, 0), coalesce(least(c.lacks, 1000), 0), coalesce(least(c.again, 1000), 0),
           coalesce(c.words, 0), ARRAY(
               SELECT DISTINCT l.lexeme FROM found AS f CROSS JOIN LATERAL cognifold.lexemes(f.sentence) AS l
               WHERE f.id = u.id AND f.is_need AND l.lexeme ~ '[^0-9.,:-]'
                 AND NOT EXISTS (SELECT FROM found AS o CROSS JOIN LATERAL cognifold.lexemes(o.phrase) AS c WHERE o.id = u.id AND c.lexeme = l.lexeme)
                 AND NOT EXISTS (SELECT FROM named AS m WHERE m.id = u.id AND m.lexeme = l.lexeme)
               ORDER BY l.lexeme)
    FROM unread AS u
    LEFT JOIN summed AS s ON s.id = u.id
    LEFT JOIN counted AS c ON c.id = u.id
    ON CONFLICT ON CONSTRAINT cue_reading_pkey
    DO UPDATE SET edition = excluded.edition, need = excluded.need, done = excluded.done, about = excluded.about,
                  lacks = excluded.lacks, again = excluded.again, words = excluded.words;
END
$$;
COMMENT ON FUNCTION cognifold.read_events(text, uuid[]) IS
    'Notes for each event not read yet how surely something is wanted and how surely something is done in it, 1 - product(1 - weight) over its cues, what the wanting sentences are about, the cues'' own words left out, and how many words of lack and recurrence it has. Internal.';
