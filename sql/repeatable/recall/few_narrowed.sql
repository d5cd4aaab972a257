-- few_narrowed: the nodes a narrowing leaves, with some others, if its actors, sources or times alone leave few; else NULL.
CREATE OR REPLACE FUNCTION cognifold.few_narrowed(tenant text, narrow cognifold.narrowing, most integer) RETURNS uuid[]
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
#variable_conflict use_variable
DECLARE
    found uuid[];
BEGIN
    IF (narrow).actors IS NOT NULL THEN
        found := ARRAY(SELECT n.id FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.actor = ANY ((narrow).actors) LIMIT most + 1);
        IF cardinality(found) <= most THEN
            RETURN found;
        END IF;
    END IF;
    IF (narrow).since IS NOT NULL OR (narrow).until IS NOT NULL OR (narrow).as_of IS NOT NULL THEN
        found := ARRAY(
            SELECT n.id FROM cognifold.node AS n
            WHERE n.tenant_id = tenant AND n.kind = ANY ((narrow).kinds)
              AND n.occurred_at >= coalesce((narrow).since, '-infinity') AND n.occurred_at <= least((narrow).until, (narrow).as_of, 'infinity')
            LIMIT most + 1);
        IF cardinality(found) <= most THEN
            RETURN found;
        END IF;
    END IF;
    IF (narrow).sources IS NOT NULL AND (narrow).kinds <@ ARRAY['event'] THEN
        found := ARRAY(
            SELECT n.id FROM cognifold.node AS n
            WHERE n.tenant_id = tenant AND n.kind = 'event' AND CASE WHEN n.source IS NULL THEN '' ELSE n.source END = ANY ((narrow).sources)
            LIMIT most + 1);
        IF cardinality(found) <= most THEN
            RETURN found;
        END IF;
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION cognifold.few_narrowed(text, cognifold.narrowing, integer) IS
    'At most so many nodes among which are all that lie within the narrowing, by the index of actors, times or sources, whichever leaves few enough first; NULL where none does. Reads most + 1 entries of each index at most. Internal.';
