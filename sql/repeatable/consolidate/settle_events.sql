-- settle_events: what a pass does about a few events that changed, or are due.
CREATE OR REPLACE FUNCTION cognifold.settle_events(tenant text, events uuid[], as_of timestamptz, settings jsonb) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    applied jsonb;
BEGIN
    -- Before they are replayed: what a newer event stands for moves on.
    applied := cognifold.execute_in_plans(
        tenant, as_of, 'compression: events that say the same have a summary', cognifold.event_summaries(tenant, events, as_of), settings);
    RETURN jsonb_build_object(
        'plans', applied -> 'plans',
        'counts', cognifold.replay_events(tenant, events, as_of) || jsonb_build_object(
            'summaries_made', coalesce((applied -> 'counts' ->> 'nodes_added')::bigint, 0)));
END
$$;
COMMENT ON FUNCTION cognifold.settle_events(text, uuid[], timestamptz, jsonb) IS
    'Gives near-identical ones of some events a summary, and replays them. Returns {"plans": [ids], "counts": {...}}. The caller holds the tenant''s turn. Internal: advance_consolidation calls it.';
