-- beyond_reach: the error of a question that would look at too much.
CREATE OR REPLACE FUNCTION cognifold.beyond_reach(verb text, reach bigint) RETURNS void
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
BEGIN
    RAISE EXCEPTION '%: it would take more than % steps', verb, reach
        USING ERRCODE = 'CF053', HINT = 'Ask for fewer hops, begin at a node with fewer edges, or raise the setting graph.reach.';
END
$$;
COMMENT ON FUNCTION cognifold.beyond_reach(text, bigint) IS 'Raises CF053: a walk through the graph is longer than the setting graph.reach allows. Internal.';
