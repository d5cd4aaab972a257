-- few_asked_for: all nodes that a recall is narrowed to, where an index tells that they are few; NULL where it does not.
CREATE OR REPLACE FUNCTION cognifold.few_asked_for(tenant text, narrow cognifold.narrowing, most integer) RETURNS uuid[]
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
-- Planned once, on whatever the memory holds then: each statement looks rows up by their keys, and can only do that.
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_mergejoin = off
SET enable_hashjoin = off
SET jit = off
AS $$
#variable_conflict use_variable
DECLARE
    earliest timestamptz := coalesce((narrow).since, '-infinity');
    latest   timestamptz := least((narrow).until, (narrow).as_of, 'infinity');
    places   text[] := (narrow).sources;
    found    uuid[];
BEGIN
    -- Who or where is mostly less than when. Only events have a voice.
    IF places IS NULL AND (narrow).actors IS NOT NULL
       AND (SELECT coalesce(sum(a.event_count), 0) FROM cognifold.actor_frequency AS a
            WHERE a.tenant_id = tenant AND a.actor = ANY ((narrow).actors)) <= most THEN
        places := ARRAY(
            WITH RECURSIVE place AS (   -- from each source to the next one, in the index
                (SELECT CASE WHEN n.source IS NULL THEN '' ELSE n.source END AS source FROM cognifold.node AS n
                 WHERE n.tenant_id = tenant AND n.kind = 'event'
                 ORDER BY CASE WHEN n.source IS NULL THEN '' ELSE n.source END LIMIT 1)
                UNION ALL
                SELECT (SELECT CASE WHEN n.source IS NULL THEN '' ELSE n.source END FROM cognifold.node AS n
                        WHERE n.tenant_id = tenant AND n.kind = 'event' AND CASE WHEN n.source IS NULL THEN '' ELSE n.source END > p.source
                        ORDER BY CASE WHEN n.source IS NULL THEN '' ELSE n.source END LIMIT 1)
                FROM place AS p WHERE p.source IS NOT NULL
            )
            SELECT p.source FROM place AS p WHERE p.source IS NOT NULL LIMIT most + 1);
    END IF;
    IF cardinality(places) * coalesce(cardinality((narrow).actors), 1) <= most THEN
        IF (narrow).actors IS NULL THEN
            found := ARRAY(
                SELECT n.id FROM unnest(places) AS p (source) CROSS JOIN LATERAL (
                    SELECT n.id FROM cognifold.node AS n
                    WHERE n.tenant_id = tenant AND n.kind = 'event' AND CASE WHEN n.source IS NULL THEN '' ELSE n.source END = p.source
                      AND n.occurred_at BETWEEN earliest AND latest
                    LIMIT most + 1) AS n
                LIMIT most + 1);
        ELSE
            found := ARRAY(
                SELECT n.id FROM unnest(places) AS p (source) CROSS JOIN unnest((narrow).actors) AS a (actor) CROSS JOIN LATERAL (
                    SELECT n.id FROM cognifold.node AS n
                    WHERE n.tenant_id = tenant AND n.kind = 'event' AND CASE WHEN n.source IS NULL THEN '' ELSE n.source END = p.source
                      AND CASE WHEN n.actor IS NULL THEN '' ELSE n.actor END = a.actor AND n.occurred_at BETWEEN earliest AND latest
                    LIMIT most + 1) AS n
                LIMIT most + 1);
        END IF;
    END IF;
    IF (found IS NULL OR cardinality(found) > most) AND num_nonnulls((narrow).since, (narrow).until, (narrow).as_of) > 0 THEN
        found := ARRAY(
            SELECT n.id FROM unnest((narrow).kinds) AS k (kind) CROSS JOIN LATERAL (
                SELECT n.id FROM cognifold.node AS n
                WHERE n.tenant_id = tenant AND n.kind = k.kind AND n.occurred_at BETWEEN earliest AND latest
                LIMIT most + 1) AS n
            LIMIT most + 1);
    END IF;
    IF found IS NULL OR cardinality(found) > most THEN
        RETURN NULL;
    END IF;
    RETURN ARRAY(
        SELECT f.id FROM unnest(found) AS f (id) CROSS JOIN LATERAL (
            SELECT n.* FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = f.id LIMIT 1) AS n
        WHERE n.kind = ANY ((narrow).kinds)
          AND cognifold.is_asked_for(n.occurred_at, n.actor, n.source, n.recorded_at, n.memory_type, n.privacy_level, narrow));
END
$$;
COMMENT ON FUNCTION cognifold.few_asked_for(text, cognifold.narrowing, integer) IS
    'The nodes within a narrowing, where its sources, its actors or its span of time are found by an index to hold at most so many; else NULL, after reading no more than about so many rows of each. Internal: stages of recall score these all.';
