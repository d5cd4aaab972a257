-- checked_walk: refuses a question to the graph that is out of bounds, before anything is looked at.
CREATE OR REPLACE FUNCTION cognifold.checked_walk(verb text, hops integer, k integer, engine text, tenant text) RETURNS void
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
DECLARE
    most_hops integer := cognifold.setting('graph.hops', tenant);
    most_rows integer := cognifold.setting('graph.rows', tenant);
BEGIN
    IF hops IS NULL OR hops NOT BETWEEN 1 AND most_hops THEN
        RAISE EXCEPTION '%: % hops are not between 1 and %', verb, coalesce(hops::text, 'NULL'), most_hops
            USING ERRCODE = 'CF010', HINT = 'Ask for fewer, or raise the setting graph.hops.';
    ELSIF k IS NULL OR k NOT BETWEEN 1 AND most_rows THEN
        RAISE EXCEPTION '%: k = % is not between 1 and %', verb, coalesce(k::text, 'NULL'), most_rows
            USING ERRCODE = 'CF010', HINT = 'Ask for fewer rows, or raise the setting graph.rows.';
    ELSIF engine IS NULL OR engine NOT IN ('sql', 'age') THEN
        RAISE EXCEPTION '%: engine % is not known', verb, coalesce(quote_literal(left(engine, 40)), 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Say sql (the tables) or age (the tenant''s graph in Apache AGE): both give the same answer.';
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.checked_walk(text, integer, integer, text, text) IS
    'CF010 where hops, k or engine of a verb is out of its range (graph.hops, graph.rows; sql or age). Internal.';
