-- information: how much a text says: the document weights of its words, each word once.
CREATE OR REPLACE FUNCTION cognifold.information(text text) RETURNS double precision
LANGUAGE sql STABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    SELECT coalesce(sum(coalesce((SELECT l.document_weight FROM cognifold.lexicon AS l WHERE l.word = w.word), 1)), 0)
    FROM (SELECT DISTINCT w.word FROM cognifold.words(text) AS w) AS w
$$;
COMMENT ON FUNCTION cognifold.information(text) IS
    'Sum over a text''s distinct words of a / (a + frequency): about the number of its words that are not everyday ones. "Take care, bye!" says less than one. Internal.';
