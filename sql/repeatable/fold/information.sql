-- information: how much a text says: the document weights of its telling words, each word once.
CREATE OR REPLACE FUNCTION cognifold.information(tenant text, content text) RETURNS double precision
LANGUAGE sql STABLE
SET search_path FROM CURRENT
AS $$
    SELECT coalesce(sum(w.weight ORDER BY w.word), 0)
    FROM (
        SELECT DISTINCT w.word, coalesce((SELECT l.document_weight FROM cognifold.lexicon AS l WHERE l.word = w.word), 1) AS weight
        FROM cognifold.words(information.content) AS w
        WHERE translate(w.word, '0123456789', '') <> '' AND w.word <> ALL (cognifold.small_talk())
          AND NOT EXISTS (SELECT FROM cognifold.actor_name AS a WHERE a.tenant_id = information.tenant AND a.word = w.word)
    ) AS w
$$;
COMMENT ON FUNCTION cognifold.information(text, text) IS
    'Sum of a / (a + frequency) over a text''s distinct words without numbers, small talk and the names of the tenant''s actors: about the number of its words that are not everyday ones. "Take care, bye!" says nothing. Internal.';
