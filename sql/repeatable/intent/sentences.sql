-- sentences: a text, sentence by sentence; a heading of its own comes first, at place 0.
CREATE OR REPLACE FUNCTION cognifold.sentences(title text, content text) RETURNS TABLE (place bigint, sentence text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    SELECT s.place, regexp_replace(btrim(s.sentence), '\s+', ' ', 'g')
    FROM (
        SELECT 0::bigint AS place, title AS sentence WHERE title <> content AND title <> cognifold.headline(content)
        UNION ALL
        SELECT r.place, r.sentence
        FROM regexp_split_to_table(replace(left(content, 20000), '’', ''''), '(?<=[.!?][)"'']?)\s+|\n+') WITH ORDINALITY AS r (sentence, place)
    ) AS s
    WHERE s.sentence ~ '[[:alnum:]]'
$$;
COMMENT ON FUNCTION cognifold.sentences(text, text) IS
    'The sentences of a text''s first 20,000 characters in order, with straight apostrophes; a title that says more than the text''s beginning is the sentence at place 0. Internal.';
