-- latest_events: the events just before one, the last first, with what it is compared by. A batch reads them once.
CREATE OR REPLACE FUNCTION cognifold.latest_events(
    tenant text, moment timestamptz, event_id uuid, model_id smallint, most integer,
    OUT ids uuid[], OUT times timestamptz[], OUT actors text[], OUT vectors halfvec[]
)
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
-- As in propose_plan: planned once, and right for a full memory, too.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
BEGIN
    SELECT coalesce(array_agg(l.id), '{}'), array_agg(l.occurred_at), array_agg(l.actor), array_agg(l.vector) INTO ids, times, actors, vectors
    FROM (
        SELECT n.id, n.occurred_at, n.actor,
               (SELECT e.vector FROM cognifold.embedding AS e
                WHERE e.tenant_id = tenant AND e.model_id = model_id AND e.kind = 'event' AND e.node_id = n.id) AS vector
        FROM cognifold.node AS n
        WHERE n.tenant_id = tenant AND n.kind = 'event' AND (n.occurred_at, n.id) < (moment, event_id)
        ORDER BY n.occurred_at DESC, n.id DESC
        LIMIT most
    ) AS l;
END
$$;
COMMENT ON FUNCTION cognifold.latest_events(text, timestamptz, uuid, smallint, integer) IS
    'At most so many of the events before a moment and id, the last first: ids, times, actors, and vectors of a model (NULL where an event has none). Internal.';
