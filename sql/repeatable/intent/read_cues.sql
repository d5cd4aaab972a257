-- read_cues: reads the cues of a concept's latest evidence that has not been read with the present ones.
CREATE OR REPLACE FUNCTION cognifold.read_cues(tenant text, concept uuid, clock timestamptz, settings jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    present CONSTANT text := cognifold.cue_edition();
BEGIN
    WITH unread AS MATERIALIZED (
        SELECT n.id, n.title, c.content
        FROM cognifold.latest_evidence(read_cues.tenant, concept, clock, settings) AS v
        JOIN cognifold.node AS n ON n.tenant_id = read_cues.tenant AND n.id = v.event_id
        JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
        WHERE NOT EXISTS (SELECT FROM cognifold.cue_reading AS k
                          WHERE k.tenant_id = n.tenant_id AND k.node_id = n.id AND k.edition = present)
    ), found AS MATERIALIZED (
        SELECT u.id, m.sentence, lower(m.phrase) AS phrase, m.weight, m.is_need
        FROM unread AS u CROSS JOIN LATERAL cognifold.cue_matches(u.title, u.content) AS m
    ), summed AS (   -- each wording counts once, however often it is said; the product of chances, by logarithms
        SELECT f.id, 1 - exp(sum(ln(1 - f.weight) ORDER BY f.weight) FILTER (WHERE f.is_need)) AS need,
               1 - exp(sum(ln(1 - f.weight) ORDER BY f.weight) FILTER (WHERE NOT f.is_need)) AS done
        FROM (SELECT DISTINCT f.id, f.phrase, f.weight, f.is_need FROM found AS f) AS f
        GROUP BY f.id
    )
    INSERT INTO cognifold.cue_reading AS r (tenant_id, node_id, edition, need, done, about)
    SELECT read_cues.tenant, u.id, present, coalesce(s.need, 0), coalesce(s.done, 0), ARRAY(
               SELECT DISTINCT l.lexeme FROM found AS f CROSS JOIN LATERAL cognifold.lexemes(f.sentence) AS l
               WHERE f.id = u.id AND f.is_need AND l.lexeme ~ '[^0-9.,:-]'
                 AND NOT EXISTS (SELECT FROM found AS o CROSS JOIN LATERAL cognifold.lexemes(o.phrase) AS c WHERE o.id = u.id AND c.lexeme = l.lexeme)
                 AND NOT EXISTS (SELECT FROM cognifold.actor_name AS a
                                 WHERE a.tenant_id = read_cues.tenant AND cognifold.lexeme(a.word) = l.lexeme)
               ORDER BY l.lexeme)
    FROM unread AS u LEFT JOIN summed AS s ON s.id = u.id
    ON CONFLICT ON CONSTRAINT cue_reading_pkey
    DO UPDATE SET edition = excluded.edition, need = excluded.need, done = excluded.done, about = excluded.about;
END
$$;
COMMENT ON FUNCTION cognifold.read_cues(text, uuid, timestamptz, jsonb) IS
    'Notes for each of a concept''s latest events how surely something is wanted and how surely something is done in it, 1 - product(1 - weight) over its cues, and what the wanting sentences are about, the cues'' own words left out. Internal.';
