-- consolidate: the sleep pass. What was recalled is counted and tied, what has faded leaves the live graph, what is alike becomes
-- one, what was never linked is tied in, and events are replayed.
--
-- It looks at what changed since the last pass (consolidation_dirty) and at what is due by now, and at nothing else. All of it
-- happens in the caller's transaction under the tenant's graph lock: an error leaves nothing. consolidate_all, and the Python client,
-- make the same steps each in a transaction of its own, so that folding goes on meanwhile.
CREATE OR REPLACE FUNCTION cognifold.consolidate(
    as_of timestamptz DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant(),
    time_budget interval DEFAULT NULL, row_budget bigint DEFAULT NULL, wait boolean DEFAULT true
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    clock    timestamptz := cognifold.checked_moment('consolidate', as_of);
    settings jsonb;
    run_id   uuid;
    step     jsonb;
    plans    jsonb := '[]';
    counts   jsonb := '{"recalls_counted": 0, "concepts_woken": 0, "pairs_linked": 0, "pairs_reinforced": 0, "concepts_changed": 0, "edges_faded": 0,
                        "concepts_merged": 0, "merges_left": 0, "concepts_completed": 0, "edges_inferred": 0, "events_replayed": 0,
                        "events_consolidating": 0, "events_consolidated": 0, "events_archived": 0, "events_woken": 0, "contents_moved": 0, "summaries_made": 0,
                        "themes_made": 0, "themes_joined": 0, "insights_added": 0, "insights_refreshed": 0, "insights_closed": 0}';
BEGIN
    PERFORM cognifold.checked_budget(time_budget, row_budget);
    IF cognifold.has_to_consolidate(tenant, clock) THEN
        PERFORM cognifold.await_consolidation(tenant, wait);
        settings := cognifold.settings(tenant);
        IF cognifold.has_to_consolidate(tenant, clock) THEN   -- whoever had the turn may have done it all
            run_id := cognifold.begin_consolidation(tenant, clock, time_budget, row_budget, settings);
            LOOP
                step := cognifold.advance_consolidation(tenant, run_id, settings);
                plans := plans || (step -> 'plans');
                counts := cognifold.added_counts(counts, step -> 'counts');
                EXIT WHEN NOT (step ->> 'running')::boolean;
            END LOOP;
        END IF;
    END IF;
    PERFORM cognifold.leave_tenant(previous);
    RETURN jsonb_build_object('run_id', run_id, 'as_of', clock, 'more', coalesce((step ->> 'more')::boolean, false),
                              'steps', coalesce((step ->> 'steps')::integer, 0), 'plans', plans, 'counts', counts);
END
$$;
COMMENT ON FUNCTION cognifold.consolidate(timestamptz, text, interval, bigint, boolean) IS
    'One sleep pass over what changed since the last: accumulation (recalls that were noted are counted; what was recalled wakes, what is recalled together is tied: count_recalls), decay (edges below edge.fade leave the live graph), compression (concepts above the model''s merge threshold that do not conflict become one, at most consolidate.merge_share of the concepts a pass), completion (a concept that never had a live edge is tied to its nearest events and concepts by inferred edges), hierarchy (concepts that share a theme become parts of a parent: theme_links), insights (find_insights), summaries (events that say the same get one concept), replay (integration scores and states of events) and archival (idle events; their texts move to archived_content). as_of: the moment to decide by; default the memory''s clock. time_budget (wall clock) and row_budget (recalls, edges, concepts and events dealt with) end it early; "more" then says that the next pass has something to go on with. Returns {"run_id", "as_of", "more", "steps", "plans": [plan ids], "counts": {recalls_counted, concepts_woken, pairs_linked, pairs_reinforced, concepts_changed, edges_faded, concepts_merged, merges_left, concepts_completed, edges_inferred, events_replayed, events_consolidating, events_consolidated, events_archived, events_woken, contents_moved, summaries_made, themes_made, themes_joined, insights_added, insights_refreshed, insights_closed}}; run_id is null and nothing is written when there was nothing to do. Atomic; two passes of one tenant take turns. wait => false: CF027 where another pass is running, or the graph has been another''s for consolidate.patience.';
