-- title_names: the names by which a title is meant: whole, without what stands in brackets at its end, and up to its first comma.
CREATE OR REPLACE FUNCTION cognifold.title_names(title text, longest integer DEFAULT 80) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT pg_catalog.array_agg(DISTINCT n.name COLLATE "C")
    FROM (SELECT l.line, pg_catalog.regexp_replace(l.line, '\s*\([^()]*\)\s*$', '') AS base
          FROM (SELECT pg_catalog.translate(title, E'\n\r', '  ') AS line) AS l) AS b
    CROSS JOIN LATERAL pg_catalog.string_to_table(pg_catalog.regexp_replace(
        cognifold.name_lines(pg_catalog.concat_ws(E'\n', b.line, b.base, pg_catalog.split_part(b.base, ',', 1))),
        '^(?:(?:the|a|an) )+(?=[^ \n])', '', 'gn'), E'\n') AS n (name)
    WHERE pg_catalog.length(n.name) BETWEEN 2 AND longest
$$;
COMMENT ON FUNCTION cognifold.title_names(text, integer) IS
    'The names a title bears: "Leland, North Carolina" bears "leland north carolina" and "leland", "The Prestige (film)" bears "prestige" and "prestige film". Internal.';
