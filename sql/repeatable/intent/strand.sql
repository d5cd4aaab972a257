-- strand: the events that tell of one unmet goal with a given one, whatever concepts they have fallen into.
--
-- Without a deadline: those that grow from the event, if one of the others has led to much the same before.
-- With one: the event that names it and the nearest to it until now, before or after, those that speak of a lack first.
CREATE OR REPLACE FUNCTION cognifold.strand(tenant text, event_id uuid, due boolean, clock timestamptz, settings jsonb)
RETURNS TABLE (member_id uuid, occurred_at timestamptz, affinity double precision)
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    size   CONSTANT integer := settings ->> 'intent.strand';
    ours   record;
    told   record;
    nearby jsonb;
BEGIN
    IF NOT due THEN
        IF NOT EXISTS (SELECT FROM cognifold.node AS n
                       WHERE n.tenant_id = strand.tenant AND n.id = strand.event_id AND n.occurred_at <= clock) THEN
            RETURN;
        END IF;
        SELECT g.* INTO told FROM cognifold.grown_strand(strand.tenant, strand.event_id, settings) AS g;
        -- What is dated waits for its date: who names a deadline ahead is looked at when it draws near.
        IF NOT FOUND OR EXISTS (
            SELECT FROM cognifold.graph_edge AS e
            JOIN cognifold.node AS t ON t.tenant_id = e.tenant_id AND t.id = e.source_id
            JOIN cognifold.node AS n ON n.tenant_id = e.tenant_id AND n.id = e.target_id
            WHERE e.tenant_id = strand.tenant AND e.target_id = ANY (told.members) AND e.type = 'deadline_for' AND t.occurred_at > clock
              AND n.occurred_at BETWEEN t.occurred_at - make_interval(secs => 86400 * (settings ->> 'intent.horizon')::double precision)
                                    AND t.occurred_at - make_interval(secs => 86400 * (settings ->> 'intent.approach')::double precision)) THEN
            RETURN;
        END IF;
        -- Chance leads to a strand from one event, hardly to the same from two.
        IF EXISTS (
            SELECT FROM unnest(told.members[2:]) AS m (id) CROSS JOIN LATERAL cognifold.grown_strand(strand.tenant, m.id, settings) AS g
            WHERE cardinality(ARRAY(SELECT unnest(g.members) INTERSECT SELECT unnest(told.members))) >= (settings ->> 'intent.agreement')::integer) THEN
            RETURN QUERY SELECT n.id, n.occurred_at, m.affinity
                         FROM unnest(told.members, told.affinities) AS m (id, affinity)
                         JOIN cognifold.node AS n ON n.tenant_id = strand.tenant AND n.id = m.id
                         ORDER BY n.occurred_at, n.id;
        END IF;
        RETURN;
    END IF;

    PERFORM cognifold.read_events(strand.tenant, ARRAY[strand.event_id]);
    SELECT n.id, n.occurred_at, r.signs INTO ours
    FROM cognifold.node AS n
    JOIN cognifold.cue_reading AS r ON r.tenant_id = n.tenant_id AND r.node_id = n.id
    WHERE n.tenant_id = strand.tenant AND n.id = strand.event_id AND n.kind = 'event' AND n.occurred_at <= clock;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', e.near_id, 'occurred_at', e.occurred_at, 'affinity', e.affinity)), '[]') INTO nearby
    FROM cognifold.near_events(strand.tenant, strand.event_id, ours.occurred_at - make_interval(secs => 86400 * (settings ->> 'intent.strand_days')::double precision),
                               clock, settings) AS e
    WHERE e.affinity >= (settings ->> 'intent.near_deadline')::double precision;
    IF jsonb_array_length(nearby) < size - 1 THEN
        RETURN;
    END IF;
    PERFORM cognifold.read_events(strand.tenant, ARRAY(SELECT (e.value ->> 'id')::uuid FROM jsonb_array_elements(nearby) AS e));
    RETURN QUERY
    WITH eligible AS (
        SELECT e.id, e.occurred_at, e.affinity, e.affinity + (settings ->> 'intent.near_lack')::double precision * least(r.lacks, 3) AS rank, r.signs
        FROM jsonb_to_recordset(nearby) AS e (id uuid, occurred_at timestamptz, affinity double precision)
        JOIN cognifold.cue_reading AS r ON r.tenant_id = strand.tenant AND r.node_id = e.id
        WHERE r.words >= (settings ->> 'intent.strand_words')::integer
          -- What a person answers to an intent is about the memory.
          AND NOT EXISTS (SELECT FROM cognifold.graph_edge AS g
                          WHERE g.tenant_id = strand.tenant AND g.source_id IN (e.id, strand.event_id) AND g.type = 'user_feedback')
    ), chosen AS (
        SELECT ours.id, ours.occurred_at, 1::double precision AS affinity, ours.signs
        UNION ALL
        (SELECT e.id, e.occurred_at, e.affinity, e.signs FROM eligible AS e ORDER BY e.rank DESC, e.occurred_at DESC, e.id DESC LIMIT size - 1)
    ), whole AS (
        SELECT t.*, count(*) OVER () AS events, max(t.occurred_at) OVER () AS latest, avg(t.signs) OVER () AS lacking FROM chosen AS t
    )
    SELECT w.id, w.occurred_at, w.affinity FROM whole AS w
    WHERE w.events = size
      AND w.latest > ours.occurred_at   -- somebody has come back to it
      AND w.lacking >= (settings ->> 'intent.signs_deadline')::double precision
    ORDER BY w.occurred_at, w.id;
END
$$;
COMMENT ON FUNCTION cognifold.strand(text, uuid, boolean, timestamptz, jsonb) IS
    'The events that tell of one unmet goal with an event (intent.strand of them, intent.strand_told without a deadline), in order of time, with their affinity to it (1 its own); none where they are no strand. due: the event names a deadline ahead. Internal.';
