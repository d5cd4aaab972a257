-- attribute_words: what an attribute is called, whatever words name it: the slots its phrases stand for, else their stems.
CREATE OR REPLACE FUNCTION cognifold.attribute_words(words text[], roles text[] DEFAULT ARRAY['names']) RETURNS text[]
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path FROM CURRENT
-- Each statement looks a few rows up by their keys, whoever the tenant is: one plan, made once.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    found   text[] := '{}';
    -- What a phrase begins with: most words of a question do not, and are not looked up at each place.
    opening text[] := ARRAY(SELECT w.word FROM unnest(words) AS w (word) WHERE EXISTS (SELECT FROM cognifold.state_cue AS c WHERE c.first_word = w.word));
    place   integer := 1;
    phrase  record;
    stem    text;
BEGIN
    WHILE place <= cardinality(words) LOOP
        IF words[place] = ANY (opening) THEN
            SELECT c.length, array_agg(DISTINCT c.slot) AS slots INTO phrase
            FROM cognifold.state_cue AS c
            WHERE c.first_word = words[place] AND c.role = ANY (roles) AND c.phrase = array_to_string(words[place : place + c.length - 1], ' ')
            GROUP BY c.length ORDER BY c.length DESC LIMIT 1;
            IF phrase.length IS NOT NULL THEN
                found := found || phrase.slots;
                place := place + phrase.length;
                CONTINUE;
            END IF;
        END IF;
        IF words[place] ~ '[[:alnum:]]' AND words[place] <> ALL (ARRAY['new', 'old', 'current', 'currently', 'latest', 'actual', 'own', 'previous', 'former', 'first', 'last', 'original', 'recent', 'now', '''s', 'these', 'days', 'lately', 'nowadays', 'exact', 'right', 'today', 'present', 'moment']) THEN
            stem := (ts_lexize('pg_catalog.english_stem', words[place]))[1];
            IF stem IS NOT NULL THEN   -- no stop word
                found := found || stem;
            END IF;
        END IF;
        place := place + 1;
    END LOOP;
    RETURN ARRAY(SELECT DISTINCT f.word COLLATE "C" FROM unnest(found) AS f (word) ORDER BY 1);
END
$$;
COMMENT ON FUNCTION cognifold.attribute_words(text[], text[]) IS 'Slots (state_cue of these roles, the longest phrase first) and stems of lower-case words, sorted, without stop words and words such as new, old, current. Internal.';
