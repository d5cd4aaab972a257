-- calendar_phrase_in: a phrase read with its sentence: whether it is a deadline, and whether what is told is over or to come.
CREATE OR REPLACE FUNCTION cognifold.calendar_phrase_in(
    content text, phrase text, place integer, said timestamp, is_southern boolean,
    OUT starts timestamp, OUT ends timestamp, OUT "precision" text, OUT shift interval, OUT is_deadline boolean
)
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
DECLARE
    said_before text := substring(substr(content, greatest(place - 200, 1), least(place - 1, 200)) FROM '[^.!?;\n]*$');
    said_after  text := substring(substr(content, place + length(phrase), 200) FROM '^[^.!?;\n]*');
    sentence    text := coalesce(said_before, '') || ' ' || coalesce(said_after, '');
    tense       text;
BEGIN
    is_deadline := (phrase ~* '^(?:on\s+)?(?:due|by|until|till|before|(?:no|not)\s+later|deadline|expires?|closes?|at\s+the\s+latest|within)\M'
                    OR said_before ~* '\m(?:deadline|due\s+date)\M'
                    OR said_before ~* '\m(?:ends?|runs?\s+out|lapses?|expires?|closes?)\s+$')
                   AND phrase !~* '\m(?:last|ago|yesterday|previous|past\s+(?:week|month|year))\M';
    tense := CASE
        WHEN sentence ~* '\m(?:will|going\s+to|gonna|shall|must|should|need(?:s|ed)?\s+to|have\s+to|has\s+to|let[''’]?s|please|plan(?:s|ned|ning)?|schedul\w+|remind\w*|expected|supposed|booked|upcoming|hope|wants?)\M|[''’]ll\M' THEN 'future'
        WHEN sentence ~* '\m(?:was|were|did(?:n[''’]t)?|had|went|met|saw|got|came|took|made|said|told|bought|began|sent|left|gave|found|ran|spoke|wrote|ate|felt|held|lost|won|paid|read|drove|flew|started|[a-z]+[a-df-z]ed)\M' THEN 'past'
        WHEN sentence ~* '\m(?:is|are|starts|begins|can|could|would|may|might)\M|[''’](?:s|re)\M' THEN 'future'
    END;
    SELECT p.starts, p.ends, p."precision", p.shift INTO starts, ends, "precision", shift
    FROM cognifold.calendar_phrase(lower(phrase), said, tense, is_deadline, is_southern) AS p;
END
$$;
COMMENT ON FUNCTION cognifold.calendar_phrase_in(text, text, integer, timestamp, boolean) IS
    'calendar_phrase for a phrase at a place (from 1) of a text. Its tense is that of the words of its sentence (will, going to, must, is ... before was, went, -ed ...); a deadline is to come whatever the tense. Internal.';
