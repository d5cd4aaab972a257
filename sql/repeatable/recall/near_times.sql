-- near_times: what happened in the spans of time that a question speaks of, the latest first.
CREATE OR REPLACE FUNCTION cognifold.near_times(tenant text, starts timestamptz[], ends timestamptz[], narrow cognifold.narrowing, number integer)
RETURNS TABLE (node_id uuid)
LANGUAGE plpgsql STABLE ROWS 20
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_sort = off   -- the order of the index
SET jit = off
AS $$
#variable_conflict use_variable
BEGIN
    IF starts IS NULL OR NOT 'event' = ANY ((narrow).kinds) THEN
        RETURN;
    END IF;
    RETURN QUERY
    SELECT DISTINCT l.id
    FROM unnest(starts, ends) AS s (since, until)
    CROSS JOIN LATERAL (
        SELECT e.id
        FROM (SELECT n.* FROM cognifold.node AS n
              WHERE n.tenant_id = tenant AND n.kind = 'event' AND n.occurred_at >= s.since AND n.occurred_at < s.until
              ORDER BY n.occurred_at DESC, n.id DESC
              LIMIT CASE WHEN (narrow).narrowed THEN 20 ELSE 1 END * number) AS e   -- of a long span that little is asked of, so much is looked through
        WHERE cognifold.is_asked_for(e.occurred_at, e.actor, e.source, e.recorded_at, e.memory_type, e.privacy_level, narrow)
        LIMIT number
    ) AS l;
END
$$;
COMMENT ON FUNCTION cognifold.near_times(text, timestamptz[], timestamptz[], cognifold.narrowing, integer) IS
    'Of each span since <= occurred_at < until the latest events within the narrowing, at most so many. None where the question speaks of no time. Internal: a stage of recall.';
