-- text_names: the names that stand in a text: runs of words with capital letters, whole and in their parts.
CREATE OR REPLACE FUNCTION cognifold.text_names(text text, most integer DEFAULT 32, longest integer DEFAULT 80) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT (pg_catalog.array_agg(n.name COLLATE "C" ORDER BY n.place))[1:most]
    FROM (
        SELECT line.name, pg_catalog.min(line.place) AS place
        FROM (
            -- A run goes on over a space, the full stop of an initial, and one or two words of up to three letters, as join names ("of the", "von").
            SELECT pg_catalog.string_agg(m.match[1], E'\n') AS runs
            FROM pg_catalog.regexp_matches(
                (CASE WHEN pg_catalog.octet_length(text) = pg_catalog.length(text) THEN text
                      ELSE pg_catalog.translate(pg_catalog.regexp_replace(pg_catalog.normalize(text, 'NFKD'), '[\u0300-\u036f]', '', 'g'), '‘’ʻʼ', '''''''''')
                 END) COLLATE "C",
                '(?:[A-Z]\. ?)*[A-Z0-9ÆÐØÞĐĦŁŊŒŦΑ-ΩЀ-ЯԱ-Ֆ][^ \t\r\n!-%(-,./:-@[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f]*'
                '(?: (?:[a-z]{1,3} ){0,2}(?:[A-Z]\. ?)*[A-Z0-9ÆÐØÞĐĦŁŊŒŦΑ-ΩЀ-ЯԱ-Ֆ][^ \t\r\n!-%(-,./:-@[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f]*)*',
                'g') AS m (match)
        ) AS joined
        CROSS JOIN LATERAL pg_catalog.string_to_table(pg_catalog.regexp_replace(
            cognifold.name_lines(joined.runs || E'\n' || pg_catalog.regexp_replace(joined.runs, ' [a-z]{1,3} (?:[a-z]{1,3} )?', E'\n', 'g')),
            -- What begins a sentence is in capitals, too.
            '^(?:(?:the|a|an|in|on|at|he|she|it|its|his|her|this|that|these|those|they|their|there|as|by|for|from|of|to|with|and|or|but|if|so|no|not'
            '|is|was|are|were|be|been|has|have|had|do|did|does|who|what|which|when|where|how|why|while|after|before|during|since|although|though'
            '|however|also|some|many|most|all|both|each|i|you|we|my|your|our)(?: |$))+', '', 'gn'),
            E'\n') WITH ORDINALITY AS line (name, place)
        WHERE pg_catalog.length(line.name) BETWEEN 3 AND longest AND pg_catalog.translate(line.name, '0123456789 ', '') <> ''
        GROUP BY line.name
    ) AS n
$$;
COMMENT ON FUNCTION cognifold.text_names(text, integer, integer) IS
    'The names in a text, at most so many, in order and as name_lines has them: "Robert Angier of the Royal Society said" holds "robert angier of the royal society", "robert angier" and "royal society". A name is known by capital letters: there are none in scripts without them. Internal.';
