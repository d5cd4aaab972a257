-- words: the words of a text in order, the same under every locale and in Python (cognifold_pg.lexicon.tokenizer.words).
CREATE OR REPLACE FUNCTION cognifold.words(text text, maximum_characters integer DEFAULT 20000)
RETURNS TABLE (word text, place bigint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    -- No SET clause and every name qualified: the planner inlines it into embed.
    SELECT trimmed.word, run.place
    FROM (SELECT pg_catalog."left"(words.text, words.maximum_characters) AS start) AS cut
    CROSS JOIN LATERAL pg_catalog.string_to_table(
        pg_catalog.regexp_replace(
            pg_catalog.lower(CASE WHEN pg_catalog.octet_length(cut.start) = pg_catalog.length(cut.start) THEN cut.start
                                  ELSE cognifold.plain_letters(cut.start) END COLLATE "C"),
            '[^a-z0-9\u00df-\u00f6\u00f8-\u02af\u0370-\u0481\u048a-\u052f\u0531-\u0556\u0560-\u0588\u05d0-\u05f2'
            '\u0620-\u0669\u066e-\u06d3\u06d5-\u06dc\u06e1-\u06e8\u06ea-\u06fc\u06ff\u0710-\u07f5\u0900-\u0963'
            '\u0966-\u096f\u0971-\u0df3\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e81-\u0edf\u0f20-\u0f33'
            '\u0f40-\u0fbc\u1000-\u1049\u1050-\u10fa\u10fc-\u135a\u1380-\u13ff\u1401-\u166c\u166f-\u167f'
            '\u1681-\u169a\u16a0-\u16ea\u1780-\u17d3\u17e0-\u17e9\u1820-\u18aa\u1900-\u19d9\u1a00-\u1a1b'
            '\u1a20-\u1a99\u1b05-\u1b59\u1b80-\u1bf3\u1c00-\u1c37\u1c40-\u1c7d\u1c90-\u1cbf\u1e00-\u1fff'
            '\u2c00-\u2ce4\u2d00-\u2dde\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff'
            '\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff\ua000-\ua48c\ua4d0-\ua4fd\ua500-\ua62b\ua640-\ua66e'
            '\ua680-\ua6ef\ua722-\ua7bf\ua800-\ua827\ua840-\ua873\ua880-\ua8d9\ua8e0-\ua8f7\ua900-\ua9d9'
            '\uaa00-\uaadd\uab01-\uabed\ud7b0-\ud7fb\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff'']+',
            ' ', 'g'), ' ') WITH ORDINALITY AS run (run, place)
    CROSS JOIN LATERAL (
        SELECT CASE WHEN pg_catalog.strpos(run.run, '''') = 0 THEN run.run
                    ELSE pg_catalog.regexp_replace(pg_catalog.btrim(run.run, ''''), '''+s$', '') END COLLATE "C" AS word
    ) AS trimmed
    WHERE trimmed.word <> ''
$$;
COMMENT ON FUNCTION cognifold.words(text, integer) IS
    'The words of a text''s first characters, in order, as embed reads them: runs of letters and digits, lower case, without accents and without a possessive ''s; an ideograph is a word of its own.';
