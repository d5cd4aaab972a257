-- archive_events: consolidated events that nobody asks for go to rest, and what they say goes where it takes least room.
CREATE OR REPLACE FUNCTION cognifold.archive_events(tenant text, as_of timestamptz, maximum integer) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    idle     interval := make_interval(secs => 3600 * cognifold.setting('consolidate.idle_hours', tenant));
    bar      bigint := cognifold.setting('consolidate.idle_accesses', tenant)::bigint;
    last_day CONSTANT timestamptz := '200000-01-01 00:00:00+00';  -- beyond it, adding to a time may end the calendar
    looked   integer;
    resting  uuid[];
BEGIN
    IF NOT EXISTS (SELECT FROM cognifold.node_state AS s
                   WHERE s.tenant_id = tenant AND s.consolidation_state = 'consolidated' AND s.due_at <= as_of LIMIT 1) THEN
        RETURN '{"events_archived": 0, "contents_moved": 0}';
    END IF;
    PERFORM cognifold.take_turn(tenant);
    LOOP
        WITH due AS MATERIALIZED (
            SELECT s.node_id, s.access_count, s.last_accessed FROM cognifold.node_state AS s
            WHERE s.tenant_id = tenant AND s.consolidation_state = 'consolidated' AND s.due_at <= as_of
            ORDER BY s.due_at, s.node_id LIMIT maximum
        ), judged AS MATERIALIZED (   -- those asked for since are looked at when that is long ago; those asked for often, never
            SELECT d.node_id, t.idle_at,
                   CASE WHEN d.access_count >= bar THEN false
                        WHEN t.idle_at <= as_of THEN true
                        ELSE cognifold.superseded_by(tenant, d.node_id) IS NOT NULL END AS rests,
                   d.access_count < bar AS may_rest
            FROM due AS d
            JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = d.node_id
            CROSS JOIN LATERAL (SELECT least(greatest(d.last_accessed, n.occurred_at), last_day) + idle AS idle_at) AS t
        ), changed AS (
            UPDATE cognifold.node_state AS s
            SET consolidation_state = CASE WHEN j.rests THEN 'archived' ELSE s.consolidation_state END,
                due_at = CASE WHEN j.may_rest AND NOT j.rests THEN j.idle_at END
            FROM judged AS j
            WHERE s.tenant_id = tenant AND s.node_id = j.node_id
        )
        SELECT count(*), coalesce(array_agg(j.node_id ORDER BY j.node_id) FILTER (WHERE j.rests), '{}') INTO looked, resting FROM judged AS j;
        -- A batch in which all were asked for lately says nothing about those after it.
        EXIT WHEN cardinality(resting) > 0 OR looked < maximum;
    END LOOP;
    RETURN jsonb_build_object('events_archived', cardinality(resting), 'contents_moved', cognifold.place_content(tenant, resting, true));
END
$$;
COMMENT ON FUNCTION cognifold.archive_events(text, timestamptz, integer) IS
    'Archives up to maximum consolidated events that are due: nobody asked for them for consolidate.idle_hours, nor happened they since, and they were asked for less than consolidate.idle_accesses times; of near-identical events with a summary concept all but the newest, without that wait. Title, provenance, edges, vector and words stay as they are, and recall finds them as before; text, payload and media move to archived_content (place_content). Returns {events_archived, contents_moved}: 0 and 0 when nothing is left to do at as_of. Internal: a pass calls it till then.';
