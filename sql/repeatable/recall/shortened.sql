-- shortened: the beginning of a line, cut after a sentence, else after a word; never within a character.
CREATE OR REPLACE FUNCTION cognifold.shortened(line text, maximum integer) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
DECLARE
    -- What belongs to the character before it: accents, variation selectors, skin tones, what is joined by a joiner.
    marks CONSTANT text := U&'[\0300-\036F\0483-\0489\0591-\05BD\064B-\065F\093C\094D\1AB0-\1AFF\1DC0-\1DFF\200D\20D0-\20FF\FE00-\FE0F\FE20-\FE2F\+01F3FB-\+01F3FF]';
    head  text;
    found text;
BEGIN
    IF length(line) <= maximum THEN
        RETURN line;
    ELSIF maximum < 1 THEN
        RETURN '';
    END IF;
    head := left(line, maximum);
    -- The last end of a sentence, if that leaves a third of it.
    found := substring(head || substr(line, maximum + 1, 1)
                       FROM U&'^(.*[.!?\2026\3002\FF01\FF1F][])"''\201D\2019]*)(?:[[:space:]]|(?<=[\3002\FF01\FF1F]).)');
    IF length(found) * 3 >= maximum THEN
        RETURN found;
    END IF;
    -- Else the last word that is whole.
    IF substr(line, maximum + 1, 1) !~ '\s' THEN
        found := substring(head FROM '^(.*\S)\s');
    ELSE
        found := rtrim(head);
    END IF;
    IF length(found) * 2 >= maximum THEN
        RETURN found;
    END IF;
    -- Else anywhere but within a character.
    WHILE length(head) > 0 AND (substr(line, length(head) + 1, 1) ~ marks OR right(head, 1) = U&'\200D') LOOP
        head := left(head, -1);
    END LOOP;
    RETURN head;
END
$$;
COMMENT ON FUNCTION cognifold.shortened(text, integer) IS
    'At most maximum characters of the beginning of a line: up to the end of a sentence where that keeps a third, else of a word where that keeps half, else of a character with all its marks. Internal.';
