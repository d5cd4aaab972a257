-- name_lines: phrases, one a line, in the form in which names are compared.
CREATE OR REPLACE FUNCTION cognifold.name_lines(phrases text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- No SET clause and every name qualified: the planner inlines it.
AS $$
    -- From the inside: lower case without accents; no possessive 's, no apostrophes; words one space apart; none at the ends.
    SELECT pg_catalog.regexp_replace(pg_catalog.regexp_replace(pg_catalog.regexp_replace(pg_catalog.lower(
        CASE WHEN pg_catalog.octet_length(phrases) = pg_catalog.length(phrases) THEN phrases
             ELSE cognifold.plain_letters(phrases) END COLLATE "C"),
        '''s?(?![a-z0-9])|''', '', 'g'),
        '[ \t\r!-/:-@[-`{-~\u00a0-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g'),
        '^ | $', '', 'gn')
$$;
COMMENT ON FUNCTION cognifold.name_lines(text) IS
    'Lines of text as names are compared: lower case, no accents, no punctuation, no possessive ''s. Internal.';
