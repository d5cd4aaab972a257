-- grown_strand: the events up to a given one that tell of one matter with it, each the nearest to all that are in already.
--
-- What is near to one event only leads elsewhere; what is near to all of them on average is of the same matter. Words of lack and
-- recurrence count as a little nearness. They are a strand if they hang together and speak much of a lack, over a week or more.
CREATE OR REPLACE FUNCTION cognifold.grown_strand(tenant text, event_id uuid, settings jsonb)
RETURNS TABLE (members uuid[], affinities double precision[])
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    size   CONSTANT integer := settings ->> 'intent.strand_told';
    back   CONSTANT interval := make_interval(secs => 86400 * (settings ->> 'intent.strand_told_days')::double precision);
    span   CONSTANT interval := make_interval(secs => 86400 * (settings ->> 'intent.strand_span')::double precision);
    bonus  CONSTANT double precision := settings ->> 'intent.near_sign';
    ours   record;
    added  uuid := event_id;
    chosen uuid[] := ARRAY[event_id];
    near   double precision[] := ARRAY[1];
    pairs  double precision := 0;
    marks  double precision;
    first  timestamptz;
    ids    uuid[];
    sums   double precision[];
    direct double precision[];
    pick   record;
BEGIN
    PERFORM cognifold.read_events(grown_strand.tenant, chosen);
    SELECT n.occurred_at, r.words, r.signs INTO ours
    FROM cognifold.node AS n
    JOIN cognifold.cue_reading AS r ON r.tenant_id = n.tenant_id AND r.node_id = n.id
    WHERE n.tenant_id = grown_strand.tenant AND n.id = grown_strand.event_id AND n.kind = 'event';
    IF NOT FOUND OR ours.words < (settings ->> 'intent.strand_words')::integer OR ours.signs < 1 THEN
        RETURN;
    END IF;
    marks := least(ours.signs, 4);
    first := ours.occurred_at;
    SELECT array_agg(e.near_id ORDER BY e.near_id), array_agg(e.affinity ORDER BY e.near_id) INTO ids, sums
    FROM cognifold.near_events(grown_strand.tenant, added, ours.occurred_at - back, ours.occurred_at, settings) AS e
    WHERE (e.occurred_at, e.near_id) < (ours.occurred_at, grown_strand.event_id)
      -- What a person answers to an intent is about the memory.
      AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                      WHERE g.tenant_id = grown_strand.tenant AND g.source_id IN (e.near_id, grown_strand.event_id) AND g.type = 'user_feedback');
    direct := sums;
    PERFORM cognifold.read_events(grown_strand.tenant, ids);
    WHILE cardinality(chosen) < size LOOP
        SELECT c.id, c.total, c.direct, n.occurred_at, r.signs INTO pick
        FROM unnest(ids, sums, direct) AS c (id, total, direct)
        JOIN cognifold.node AS n ON n.tenant_id = grown_strand.tenant AND n.id = c.id
        JOIN cognifold.cue_reading AS r ON r.tenant_id = grown_strand.tenant AND r.node_id = c.id AND r.words >= (settings ->> 'intent.strand_words')::integer
        WHERE c.id <> ALL (chosen) AND c.total >= 0
        ORDER BY c.total / cardinality(chosen) + bonus * least(r.lacks + r.again, 3) DESC, n.occurred_at DESC, c.id DESC
        LIMIT 1;
        IF NOT FOUND THEN
            RETURN;
        END IF;
        added := pick.id;
        chosen := chosen || added;
        near := near || pick.direct;
        pairs := pairs + pick.total;
        marks := marks + least(pick.signs, 4);
        first := least(first, pick.occurred_at);
        EXIT WHEN cardinality(chosen) = size;
        SELECT array_agg(c.id ORDER BY c.id), array_agg(c.total + e.affinity ORDER BY c.id), array_agg(c.direct ORDER BY c.id) INTO ids, sums, direct
        FROM unnest(ids, sums, direct) AS c (id, total, direct)
        JOIN cognifold.near_events(grown_strand.tenant, added, ours.occurred_at - back, ours.occurred_at, settings) AS e ON e.near_id = c.id;
    END LOOP;
    IF marks / size >= (settings ->> 'intent.signs')::double precision AND first <= ours.occurred_at - span
       AND marks / size * (pairs / (size * (size - 1) / 2)) >= (settings ->> 'intent.strand_weight')::double precision THEN
        RETURN QUERY SELECT chosen, near;
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.grown_strand(text, uuid, jsonb) IS
    'The intent.strand_told events up to one that tell of one matter with it, itself first, with their affinity to it (1 its own); nothing where there are too few, or they last less than intent.strand_span days, or the mean of their words of lack and recurrence is below intent.signs, or that times the mean affinity of all pairs below intent.strand_weight, or the event itself lacks nothing. Internal.';
