-- fuller_phrase: a word that stands for one event in a heading, with what its text says of it: "lost the key", "landlord's nephew".
--
-- A noun that nothing else shares says little by itself. What its author called the event says most; else the nearest word before it
-- that is more than an article, a preposition or a pronoun: what was done with it, whose it is, or of which kind.
CREATE OR REPLACE FUNCTION cognifold.fuller_phrase(title text, content text, phrase text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
DECLARE
    leaning CONSTANT text := 'the|a|an|my|your|his|her|its|our|their|this|that|these|those|some|any|every|each|all|both|me|him|them|us|it|you|'
                             'of|in|on|at|to|for|with|from|by|about|into|onto|over|under|out|off|up|down|round|around|through';
    -- Whoever does something, a part of a verb, a link: the phrase is not what follows from them.
    apart   CONSTANT text := 'i|we|he|she|they|who|which|what|there|here|is|am|are|was|were|be|been|being|has|have|had|do|does|did|will|would|can|could|should|must|may|might|not|no|'
                             'and|or|but|nor|so|as|than|then|if|when|while|where|because|since|until|till|though|although|why|how|just|only|very|too|also|still|again|even|'
                             'like|well|yes|please|thanks|without|within|between|during|outside|inside|above|below|behind|beside|near|past|before|after|against|towards|per|via|s|t|ll|d|ve|re|m';
    heading text := btrim(regexp_replace(title, '[[:space:][:punct:]]+$', ''));
    found   text[];
BEGIN
    IF heading ~ '^[[:alpha:]][[:alpha:]''’-]*( [[:alpha:]''’-]+){0,3}$' AND NOT starts_with(content, title)
       AND NOT lower(heading) ~ ('^(of|in|on|at|to|for|with|from|by|about|into|onto|over|under|out|off|up|down|' || apart || ') ')   -- what of?
       AND ' ' || lower(heading) || ' ' LIKE '% ' || lower(phrase) || ' %' THEN
        RETURN heading;
    ELSIF phrase ~ '[^[:alpha:]]' THEN   -- two words say what is what by themselves
        RETURN phrase;
    END IF;
    found := regexp_match(
        replace(content, '’', ''''),
        '(^|[^[:alnum:]''-] ?)([[:alpha:]][[:alpha:]''-]{0,30})( (?:(?:' || leaning || ') ){0,3})' || phrase || '(?![[:alnum:]-])');
    IF found IS NULL OR lower(found[2]) ~ ('^(' || leaning || '|' || apart || ')$') OR found[2] ~ '''(t|ll|d|ve|re|m)$'
       -- "Paint your fence", "Ada's nephew"; but not "[told] Ada about the fence"
       OR found[3] <> ' ' AND found[2] ~ '^[[:upper:]]' AND found[1] = ' ' THEN
        RETURN phrase;
    END IF;
    RETURN found[2] || found[3] || phrase;
END
$$;
COMMENT ON FUNCTION cognifold.fuller_phrase(text, text, text) IS
    'A phrase of an event''s text as a heading says it: the event''s title where that has it, is no part of the text, and is at most four words without a number; for a single word, from the nearest word before it that is more than an article, preposition or pronoun, at most three of those between; else the phrase itself. Always words of the text, as they stand there. Internal: concept_title calls it.';
