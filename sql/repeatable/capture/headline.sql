-- headline: the first words of a text, for an event that came without a title.
CREATE OR REPLACE FUNCTION cognifold.headline(content text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN pg_catalog.length(line) <= 80 THEN line
                ELSE pg_catalog.regexp_replace(pg_catalog.left(line, 77), '\s+\S*$', '') || '...' END
    FROM (SELECT pg_catalog.btrim(
              -- To see that there is nothing to replace takes a fifth of the time of replacing it.
              CASE WHEN start ~ '\s\s|[^\S ]' THEN pg_catalog.regexp_replace(start, '\s+', ' ', 'g') ELSE start END) AS line
          FROM (SELECT pg_catalog.left(content, 400) AS start) AS s) AS l
$$;
COMMENT ON FUNCTION cognifold.headline(text) IS 'The first words of a text, at most 80 characters, cut at a word.';
