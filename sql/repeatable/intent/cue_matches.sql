-- cue_matches: every cue in a text, sentence by sentence, with what stands before it taken into account.
--
-- A need that is negated ("no need", "never want") counts for nothing; a thing done that is negated ("not sent") is a
-- need; one that is only asked, planned or supposed ("once it is paid", "is it fixed?") counts for nothing.
CREATE OR REPLACE FUNCTION cognifold.cue_matches(title text, content text)
RETURNS TABLE (place bigint, sentence text, kind text, weight double precision, phrase text, is_need boolean)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH family AS MATERIALIZED (   -- one expression for all cues of a kind and weight: the server keeps only so many compiled
        SELECT c.kind, c.weight, '\m(?:' || string_agg(c.pattern, '|' ORDER BY length(c.pattern) DESC, c.pattern) || ')(?!\w)' AS expression
        FROM cognifold.intent_cue AS c WHERE c.weight > 0
        GROUP BY c.kind, c.weight
    ), guard AS MATERIALIZED (      -- at most two words may stand between
        SELECT max(g.expression) FILTER (WHERE g.kind = 'negation') AS negation, max(g.expression) FILTER (WHERE g.kind = 'unreal') AS unreal
        FROM (
            SELECT c.kind, '(?:^|[^\w''])(?:' || string_agg(c.pattern, '|' ORDER BY c.pattern) || ')(?: +[\w'']+){0,2} *$' AS expression
            FROM cognifold.intent_cue AS c WHERE c.kind IN ('negation', 'unreal')
            GROUP BY c.kind
        ) AS g
    ), found AS (
        -- In lower case: the server matches that far faster than it ignores case.
        SELECT s.place, s.sentence, f.kind, f.weight, regexp_substr(s.plain, f.expression, 1, n.number) AS phrase,
               left(s.plain, regexp_instr(s.plain, f.expression, 1, n.number) - 1) AS before
        FROM (SELECT r.place, r.sentence, lower(r.sentence) AS plain FROM cognifold.sentences(title, content) AS r) AS s
        CROSS JOIN family AS f
        CROSS JOIN LATERAL generate_series(1, least(regexp_count(s.plain, f.expression), 5)) AS n (number)
    ), turned AS (
        SELECT f.*, f.before ~ g.negation AS negated, f.before ~ g.unreal OR f.sentence ~ '\?\W*$' AS unreal
        FROM found AS f CROSS JOIN guard AS g
    )
    SELECT t.place, t.sentence, t.kind, t.weight, t.phrase, t.kind <> 'done' OR t.negated
    FROM turned AS t
    WHERE CASE WHEN t.kind = 'done' THEN t.negated OR NOT t.unreal ELSE NOT t.negated END;
END
$$;
COMMENT ON FUNCTION cognifold.cue_matches(text, text) IS
    'The cues of intent_cue in a text that hold where they stand: is_need tells what is unmet from what is done. A negated need and a thing only planned, supposed or asked about are left out; "not done" is a need. Internal.';
