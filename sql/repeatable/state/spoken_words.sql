-- spoken_words: a text as words and marks in order: contractions spelled out, brackets left out, sentences ended by . or ?, clauses by a comma.
CREATE OR REPLACE FUNCTION cognifold.spoken_words(content text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
DECLARE
    plain text := translate(content, '’‘“”"*`_', '''''    ');
BEGIN
    IF strpos(plain, '[') > 0 THEN   -- what stands in brackets is about the text, and says nothing itself
        plain := regexp_replace(plain, '\[[^]]*\]', ' ', 'g');
    END IF;
    IF strpos(plain, '''') > 0 THEN
        plain := regexp_replace(plain, '\m(\w+)n''t\M', '\1 not', 'gi');
        plain := regexp_replace(plain, '''(m|re|ve|ll|d|s)\M', ' ''\1', 'gi');
        plain := replace(replace(replace(replace(replace(plain, ' ''m', ' am'), ' ''re', ' are'), ' ''ve', ' have'), ' ''ll', ' will'), ' ''d', ' would');
    END IF;
    -- A pattern is run where there is a mark for it: a session keeps few patterns compiled, and a question has few marks.
    IF strpos(plain, '.') > 0 THEN
        plain := regexp_replace(plain, '\m(dr|mr|mrs|ms|st|prof|no|vs|apt|ave|jr|sr|inc|ltd)\.(?=\s+[[:upper:][:digit:]])', '\1', 'gi');
    END IF;
    IF translate(plain, E'.!;\n', '') <> plain THEN
        plain := regexp_replace(plain, '[.!;]+(?=\s|$)|\n+', ' . ', 'g');
    END IF;
    IF strpos(plain, '??') > 0 THEN
        plain := regexp_replace(plain, '\?+', ' ? ', 'g');
    ELSE
        plain := replace(plain, '?', ' ? ');
    END IF;
    IF translate(plain, ',()[]-–—…', '') <> plain THEN
        plain := regexp_replace(plain, ',(?=\s|$)|[()\[\]]|(?<=\s)[-–—]+(?=\s)|—|…', ' , ', 'g');
    END IF;
    IF strpos(plain, ':') > 0 THEN
        plain := regexp_replace(plain, ':(?=\s|$)', ' : ', 'g');
    END IF;
    IF octet_length(plain) = length(plain) THEN
        -- (PostgreSQL 16 reads \v as the letter.)
        RETURN array_remove(string_to_array(translate(plain, E'\t\n\r\f\x0B', '     '), ' '), '');
    END IF;
    RETURN string_to_array(btrim(regexp_replace(plain, '\s+', ' ', 'g')), ' ');
END
$$;
COMMENT ON FUNCTION cognifold.spoken_words(text) IS 'The words of a text as written, the possessive ''s a word of its own, between marks: . and ? end a sentence, a comma or colon a clause. Internal.';
