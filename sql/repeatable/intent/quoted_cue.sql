-- quoted_cue: the sentence of an event that says most plainly what is wanted, short enough to be read at a glance.
CREATE OR REPLACE FUNCTION cognifold.quoted_cue(tenant text, event_id uuid, maximum integer) RETURNS text
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN (
        WITH sentence AS (
            SELECT s.place, s.sentence,
                   coalesce(1 - exp(sum(ln(1 - m.weight)) FILTER (WHERE m.is_need)), 0) AS need
            FROM cognifold.node AS n
            JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
            CROSS JOIN LATERAL cognifold.sentences(n.title, c.content) AS s
            LEFT JOIN LATERAL cognifold.cue_matches('', s.sentence) AS m ON true
            WHERE n.tenant_id = quoted_cue.tenant AND n.id = quoted_cue.event_id
            GROUP BY s.place, s.sentence
        ), chosen AS (   -- the plainest; a heading or a scrap of three words only if nothing else says it
            SELECT s.sentence FROM sentence AS s
            ORDER BY s.need - CASE WHEN s.place = 0 OR s.sentence !~ '\w+\W+\w+\W+\w+\W+\w+' THEN 0.3 ELSE 0 END DESC, s.place DESC
            LIMIT 1
        ), addressed AS (   -- "Declan, ..." says whom it was said to
            SELECT CASE WHEN EXISTS (SELECT FROM cognifold.actor_name AS a
                                     WHERE a.tenant_id = quoted_cue.tenant AND a.word = lower(substring(c.sentence FROM '^(\w+), \w')))
                        THEN regexp_replace(c.sentence, '^\w+, ', '') ELSE c.sentence END AS sentence
            FROM chosen AS c
        )
        SELECT cognifold.cut_sentence(upper(left(a.sentence, 1)) || substr(a.sentence, 2), maximum) FROM addressed AS a);
END
$$;
COMMENT ON FUNCTION cognifold.quoted_cue(text, uuid, integer) IS
    'The sentence of an event with the strongest unmet cues, without the name of whom it speaks to, cut at a word to at most maximum characters. Internal.';
