-- take_back: undoes one plan that nothing depends on, by a plan of its own.
CREATE OR REPLACE FUNCTION cognifold.take_back(tenant text, plan_id uuid, is_asked boolean) RETURNS uuid
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
DECLARE
    this_plan uuid := cognifold.new_id();
    images    jsonb;  -- as it was before the plan
    changes   jsonb;  -- as it is now, for the journal
    status    text := 'undone';
    subject   uuid := plan_id;
BEGIN
    SELECT coalesce(jsonb_agg(jsonb_build_object('relation', j.relation, 'node_id', j.node_id, 'other_id', j.other_id, 'part', j.part,
                                                 'before', j.before) ORDER BY j.position), '[]')
    INTO images
    FROM cognifold.journal AS j WHERE j.tenant_id = tenant AND j.plan_id = take_back.plan_id;
    -- A node that goes takes all with it that belongs to it, be it journaled by the plan or not (accesses are not).
    SELECT cognifold.row_images(tenant, images || cognifold.node_keys(tenant, coalesce(array_agg(i.node_id), '{}')))
    INTO changes
    FROM jsonb_to_recordset(images) AS i (relation text, node_id uuid, before jsonb)
    WHERE i.relation = 'node' AND coalesce(i.before, 'null') = 'null';
    PERFORM cognifold.restore_rows(tenant, images);

    PERFORM cognifold.record_plan(
        tenant, this_plan,
        jsonb_build_object('reasoning', 'undone', 'operations', jsonb_build_array(jsonb_build_object('op', 'UNDO_PLAN', 'plan', plan_id))),
        'undo', plan_id,
        jsonb_build_object('plan_id', this_plan, 'counts', jsonb_build_object('rows_restored', jsonb_array_length(images)), 'refs', '{}'::jsonb)
            || CASE WHEN is_asked THEN '{}' ELSE jsonb_build_object('cascade', true) END,
        changes, cognifold.now());
    -- What an undone undo had taken back is applied again, and so on down.
    WHILE subject IS NOT NULL LOOP
        UPDATE cognifold.plan AS p SET status = status WHERE p.tenant_id = tenant AND p.plan_id = subject
        RETURNING p.undoes INTO subject;
        status := CASE status WHEN 'undone' THEN 'applied' ELSE 'undone' END;
    END LOOP;
    RETURN this_plan;
END
$$;
COMMENT ON FUNCTION cognifold.take_back(text, uuid, boolean) IS
    'Gives every row a plan wrote the state it had before, journals that as a plan of its own (proposer undo) and returns its id. is_asked: it is what undo_plan was asked for, and not in the way of that (noted in the result as cascade). Internal: undo_plan calls it, after it has seen to dependents.';
