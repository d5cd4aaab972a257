-- settle_concepts: what a pass does about a few changed concepts: what is alike becomes one, what was never linked is tied in.
CREATE OR REPLACE FUNCTION cognifold.settle_concepts(
    tenant text, concepts uuid[], as_of timestamptz, allowed bigint, settings jsonb
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    looking    uuid[] := concepts;   -- those that may be like others now
    last       uuid := (SELECT c.id FROM unnest(concepts) AS c (id) ORDER BY c.id DESC LIMIT 1);
    pairs      jsonb;
    standing   uuid[];               -- those that remain, or what they are now
    operations jsonb;
    applied    jsonb;
    plans      jsonb := '[]';
    unsettled  uuid[] := '{}';       -- those that the next pass must look at again
    merged     bigint := 0;
    left_over  bigint := 0;
    completed  bigint;
    counts     jsonb := '{}';
BEGIN
    -- Compression, in rounds: each concept merges once a round, and a survivor, whose mean has moved, is looked at again.
    WHILE cardinality(looking) > 0 LOOP
        pairs := cognifold.alike_concepts(tenant, looking);
        SELECT left_over + count(DISTINCT p.place), unsettled || coalesce(array_agg(e.id::uuid), '{}') INTO left_over, unsettled
        FROM jsonb_array_elements(pairs) WITH ORDINALITY AS p (value, place)
        CROSS JOIN LATERAL jsonb_array_elements_text(p.value -> 'ids') AS e (id)
        WHERE p.place > allowed
          -- Where the other concept is still to be looked at, the pair will be found again then.
          AND NOT EXISTS (SELECT FROM jsonb_array_elements_text(p.value -> 'ids') AS o (id)
                          JOIN cognifold.consolidation_dirty AS d ON d.tenant_id = tenant AND d.kind = 'concept' AND d.node_id = o.id::uuid
                          WHERE d.node_id > last);
        applied := cognifold.execute_in_plans(
            tenant, as_of, 'compression: concepts that are alike become one',
            (SELECT coalesce(jsonb_agg(p.value || '{"op": "MERGE_NODES"}' ORDER BY p.place), '[]')
             FROM jsonb_array_elements(pairs) WITH ORDINALITY AS p (value, place) WHERE p.place <= allowed), settings);
        plans := plans || (applied -> 'plans');
        looking := ARRAY(SELECT (m.value ->> 'survivor')::uuid FROM jsonb_array_elements(applied -> 'merged') WITH ORDINALITY AS m (value, place)
                         ORDER BY m.place);
        merged := merged + coalesce((applied -> 'counts' ->> 'nodes_merged')::bigint, 0);
        allowed := allowed - cardinality(looking);
    END LOOP;

    standing := ARRAY(SELECT DISTINCT coalesce(n.merged_into, n.id)
                      FROM unnest(concepts) AS c (id) JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = c.id ORDER BY 1);

    -- Completion of concepts that nothing living ever pointed at.
    SELECT coalesce(jsonb_agg(o.operation), '[]'), count(DISTINCT o.concept) INTO operations, completed
    FROM cognifold.orphan_links(tenant, standing, as_of) AS o;
    applied := cognifold.execute_in_plans(
        tenant, as_of, 'completion: concepts without a live link are tied to what is near', operations, settings);
    plans := plans || (applied -> 'plans');
    counts := jsonb_build_object('edges_inferred', coalesce((applied -> 'counts' ->> 'edges_added')::bigint, 0));

    -- Hierarchy: concepts that share a theme are parts of it. (All edges it proposes lead from a part to its theme, new or renewed.)
    operations := cognifold.theme_links(tenant, standing, as_of);
    applied := cognifold.execute_in_plans(tenant, as_of, 'hierarchy: concepts that share a theme are parts of it', operations, settings);
    plans := plans || (applied -> 'plans');
    counts := counts || jsonb_build_object(
        'themes_made', coalesce((applied -> 'counts' ->> 'nodes_added')::bigint, 0),
        'themes_joined', (SELECT count(*) FROM jsonb_array_elements(operations) AS o WHERE o.value ->> 'op' = 'ADD_EDGE')
                         - coalesce((applied -> 'counts' ->> 'edges_reinforced')::bigint, 0));

    -- Insights: what the evidence of these concepts says by now.
    applied := cognifold.execute_in_plans(
        tenant, as_of, 'insights: what the evidence says', cognifold.find_insights(tenant, standing, as_of), settings);
    plans := plans || (applied -> 'plans');
    counts := counts || jsonb_build_object(
        'insights_added', coalesce((applied -> 'counts' ->> 'insights_added')::bigint, 0),
        'insights_refreshed', coalesce((applied -> 'counts' ->> 'insights_refreshed')::bigint, 0),
        'insights_closed', coalesce((applied -> 'counts' ->> 'insights_closed')::bigint, 0));

    RETURN jsonb_build_object(
        'plans', plans, 'unsettled', to_jsonb(unsettled),
        'counts', counts || jsonb_build_object('concepts_changed', cardinality(concepts), 'concepts_merged', merged, 'merges_left', left_over,
                                               'concepts_completed', completed));
END
$$;
COMMENT ON FUNCTION cognifold.settle_concepts(text, uuid[], timestamptz, bigint, jsonb) IS
    'Compression and completion of some changed concepts; at most so many merges as are allowed. Returns {"plans": [ids], "counts": {...}, "unsettled": [concepts of pairs beyond what was allowed]}. The caller holds the tenant''s turn. Internal: advance_consolidation calls it.';
