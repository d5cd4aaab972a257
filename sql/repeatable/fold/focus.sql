-- focus: where an event looks for its like, and whether it says enough to look at all.
CREATE OR REPLACE FUNCTION cognifold.focus(
    tenant text, content text, OUT direction vector, OUT information double precision
)
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    WITH constant AS MATERIALIZED (
        SELECT cognifold.setting('fold.focus', focus.tenant) AS half
    ), word AS (
        SELECT w.word, w.place, l.document_vector, coalesce(l.document_weight, 1) AS document_weight,
               c.half / (c.half + coalesce(l.frequency, 0)) AS weight,
               -- A word counts once; numbers, small talk and the names of those present tell nothing.
               row_number() OVER (PARTITION BY w.word ORDER BY w.place) = 1 AND w.word !~ '^[0-9]+$' AND w.word <> ALL (cognifold.small_talk())
               AND NOT EXISTS (SELECT FROM cognifold.actor_name AS a WHERE a.tenant_id = focus.tenant AND a.word = w.word) AS is_telling
        FROM cognifold.words(focus.content) AS w
        CROSS JOIN constant AS c
        LEFT JOIN LATERAL (SELECT * FROM cognifold.lexicon AS l WHERE l.word = w.word LIMIT 1) AS l ON true
    )
    SELECT l2_normalize(sum(coalesce(w.document_vector::vector, cognifold.composed_vector(w.word))
                            * array_fill((w.weight / w.document_weight)::real, ARRAY[256])::vector ORDER BY w.place)),
           coalesce(sum(w.document_weight ORDER BY w.place) FILTER (WHERE w.is_telling), 0)
    FROM word AS w
$$;
COMMENT ON FUNCTION cognifold.focus(text, text) IS
    'direction: the text''s vector with its words weighted a / (a + frequency), a = fold.focus, sharper than the stored one: compared with stored vectors it tells events of one subject apart better than they tell each other. information: about how many of its words are telling, the sum of their document weights, each once, without numbers, names of actors and small talk; "Take care, bye!" has none. Internal.';
