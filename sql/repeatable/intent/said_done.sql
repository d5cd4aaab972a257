-- said_done: how surely an event says that what some earlier events tell of is done.
--
-- Not that anything is done counts, but that it is done of this: each sentence with a cue of "done" counts by what it and the
-- sentence before it name in common with those events ("The cellar was wet again. Pumped out and sealed." says of what). A
-- word weighs the more the rarer it is, in English as in the tenant's events, so that "day" and "one" tell nothing; a word that
-- two of the events use is what they are about, one that a single event uses may be an aside.
CREATE OR REPLACE FUNCTION cognifold.said_done(tenant text, event_id uuid, told uuid[], settings jsonb) RETURNS double precision
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
    documents double precision := (SELECT greatest(s.document_count + (settings ->> 'fold.prior_documents')::double precision, 2)
                                   FROM cognifold.lexical_statistics AS s WHERE s.tenant_id = said_done.tenant);
    result    double precision;
BEGIN
    WITH spoken AS MATERIALIZED (
        SELECT n.title, c.content
        FROM cognifold.node AS n
        JOIN cognifold.node_text AS c ON c.tenant_id = n.tenant_id AND c.node_id = n.id
        WHERE n.tenant_id = said_done.tenant AND n.id = said_done.event_id
    ), done AS MATERIALIZED (   -- each wording of a sentence once; the product of chances, by logarithms
        SELECT m.place, m.sentence, 1 - exp(sum(ln(1 - m.weight) ORDER BY m.phrase)) AS surely
        FROM (
            SELECT DISTINCT m.place, m.sentence, lower(m.phrase) AS phrase, m.weight
            FROM spoken AS s CROSS JOIN LATERAL cognifold.cue_matches(s.title, s.content) AS m
            WHERE NOT m.is_need
        ) AS m
        GROUP BY m.place, m.sentence
    ), placed AS MATERIALIZED (
        SELECT r.place, lag(r.place) OVER (ORDER BY r.place) AS former, r.sentence
        FROM spoken AS s CROSS JOIN LATERAL cognifold.sentences(s.title, s.content) AS r
    ), word AS MATERIALIZED (   -- the commonest form of a stem says how common it is
        SELECT d.place, w.lexeme, max(w.frequency) AS frequency
        FROM done AS d
        JOIN placed AS p ON p.place = d.place
        JOIN placed AS q ON q.place IN (p.place, p.former)
        CROSS JOIN LATERAL (
            SELECT cognifold.lexeme(w.word) AS lexeme, coalesce(l.frequency, 0) AS frequency
            FROM cognifold.words(q.sentence) AS w
            LEFT JOIN cognifold.lexicon AS l ON l.word = w.word
            WHERE w.word ~ '[^0-9]'
        ) AS w
        GROUP BY d.place, w.lexeme
    ), known AS MATERIALIZED (   -- by the events, which are few: a word may stand in any number of others
        SELECT p.lexeme, count(DISTINCT p.node_id) AS events FROM cognifold.posting AS p
        WHERE p.tenant_id = said_done.tenant AND p.node_id = ANY (told) AND p.kind = 'event'
        GROUP BY p.lexeme
    ), anothers AS MATERIALIZED (   -- "the neighbour's boiler" is another one than that of events that name no neighbour
        SELECT DISTINCT d.place
        FROM done AS d
        CROSS JOIN LATERAL regexp_matches(lower(d.sentence), '\m([[:alpha:]]+)''s ([[:alpha:]]+)(?: ([[:alpha:]]+))?', 'g') AS m (part)
        LEFT JOIN cognifold.lexicon AS l ON l.word = m.part[1]
        WHERE coalesce(l.frequency, 0) < (settings ->> 'intent.common')::double precision
          AND NOT EXISTS (SELECT FROM known AS k WHERE k.lexeme = cognifold.lexeme(m.part[1]))
          AND NOT EXISTS (SELECT FROM cognifold.node AS n WHERE n.tenant_id = said_done.tenant AND n.id = ANY (told) AND strpos(lower(n.actor), m.part[1]) > 0)
          AND EXISTS (SELECT FROM known AS k WHERE k.lexeme IN (cognifold.lexeme(m.part[2]), cognifold.lexeme(m.part[3])))
    ), shared AS (
        SELECT w.place,
               sum(
                   least(1, ln((settings ->> 'intent.common')::double precision / greatest(w.frequency, (settings ->> 'intent.rare')::double precision))
                            / ln((settings ->> 'intent.common')::double precision / (settings ->> 'intent.rare')::double precision))
                   * ln(documents / greatest(f.document_count, 1)) / ln(documents)
                   * CASE WHEN k.events >= 2 THEN 1 WHEN k.events = 1 THEN (settings ->> 'intent.told_once')::double precision ELSE 0 END
                   ORDER BY w.lexeme) AS about
        FROM word AS w
        LEFT JOIN known AS k ON k.lexeme = w.lexeme
        LEFT JOIN cognifold.lexeme_frequency AS f ON f.tenant_id = said_done.tenant AND f.lexeme = w.lexeme
        WHERE w.frequency < (settings ->> 'intent.common')::double precision
        GROUP BY w.place
    )
    SELECT 1 - exp(sum(ln(1 - d.surely * least(1, s.about)
                              * CASE WHEN o.place IS NULL THEN 1 ELSE (settings ->> 'intent.anothers')::double precision END) ORDER BY d.place)) INTO result
    FROM done AS d
    JOIN shared AS s ON s.place = d.place
    LEFT JOIN anothers AS o ON o.place = d.place;
    RETURN result;
END
$$;
COMMENT ON FUNCTION cognifold.said_done(text, uuid, uuid[], jsonb) IS
    'How surely an event says that what the events told speak of is done, in [0, 1): 1 - product(1 - d * min(1, a)) over its sentences, d what its cues of "done" say (1 - product(1 - weight)), a the sum over the words that it or the sentence before shares with them: rarity in English (0 from intent.common on, 1 below intent.rare) times ln(N / n) / ln(N) among the tenant''s events, intent.told_once of it for a word that one of them only uses; a sentence about somebody''s thing who neither is named in one of them nor acts in it counts intent.anothers. NULL where it says so of nothing in particular: "All done now", or not at all. Internal.';
