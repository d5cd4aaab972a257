-- indexed_text: the text a node is searched by: its title and content, each word once where the title only repeats.
CREATE OR REPLACE FUNCTION cognifold.indexed_text(title text, content text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN title = content OR title = cognifold.headline(content) THEN content
                ELSE title || E'\n' || content END
$$;
COMMENT ON FUNCTION cognifold.indexed_text(text, text) IS 'Title and content as one text for search; the content alone where the title was made from it.';
