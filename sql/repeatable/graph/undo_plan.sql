-- undo_plan: takes a plan back, exactly. Refuses where later plans build on it, or with cascade takes those back first.
CREATE OR REPLACE FUNCTION cognifold.undo_plan(
    plan_id uuid, cascade boolean DEFAULT false, tenant text DEFAULT cognifold.required_tenant()
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous   text := cognifold.enter_tenant(tenant);
    subject    record;
    next       uuid;
    all_of     uuid[];  -- what builds on it, and on that in turn: what cascade undoes, newest first
    undone     jsonb := '[]';
    by_plan    uuid;
    restored   bigint;
BEGIN
    PERFORM cognifold.take_turn(tenant);
    SELECT p.version, p.status, p.forgotten_at IS NOT NULL OR p.proposer = 'forget' AS is_forgotten INTO subject FROM cognifold.plan AS p WHERE p.tenant_id = tenant AND p.plan_id = undo_plan.plan_id;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'plan % is not known to tenant "%"', coalesce(plan_id::text, 'NULL'), tenant
            USING ERRCODE = 'CF021', HINT = 'apply_plan and fold return plan_id; history lists the plans of a node.';
    ELSIF subject.is_forgotten THEN
        RAISE EXCEPTION 'plan % cannot be undone: it had a part in what is forgotten', plan_id
            USING ERRCODE = 'CF048', HINT = 'What is forgotten does not come back. Later plans can change what is left (apply_plan).';
    ELSIF subject.status = 'undone' THEN
        by_plan := (SELECT p.plan_id FROM cognifold.plan AS p
                    WHERE p.tenant_id = tenant AND p.undoes = undo_plan.plan_id AND p.status = 'applied' ORDER BY p.version DESC LIMIT 1);
        RAISE EXCEPTION 'plan % is undone already, by plan %', plan_id, by_plan
            USING ERRCODE = 'CF023', DETAIL = '[]', HINT = format('To have it back, undo plan %s.', by_plan);
    END IF;

    -- Newest first of all that builds on it, directly or not: the newest has no dependents itself.
    LOOP
        IF all_of IS NULL THEN
            WITH RECURSIVE further AS (
                SELECT d.dependent, d.version FROM cognifold.dependent_plans(tenant, plan_id) AS d
                UNION
                SELECT d.dependent, d.version FROM further AS f CROSS JOIN LATERAL cognifold.dependent_plans(tenant, f.dependent) AS d
            )
            SELECT coalesce(array_agg(f.dependent ORDER BY f.version DESC), '{}') INTO all_of FROM further AS f;
        END IF;
        IF EXISTS (SELECT FROM cognifold.plan AS p
                   WHERE p.tenant_id = tenant AND p.plan_id = ANY (all_of) AND p.forgotten_at IS NOT NULL) THEN
            RAISE EXCEPTION 'plan % cannot be undone: a plan that builds on it had a part in what is forgotten', plan_id
                USING ERRCODE = 'CF048', HINT = 'What is forgotten does not come back. Later plans can change what is left (apply_plan).';
        END IF;
        IF all_of <> '{}' AND NOT coalesce(cascade, false) THEN
            RAISE EXCEPTION 'plan % cannot be undone: % later plan(s) build on it', plan_id, cardinality(all_of)
                USING ERRCODE = 'CF023', DETAIL = to_jsonb(all_of)::text,
                      HINT = 'Undo those first, newest first (they are listed in the detail), or call undo_plan with cascade => true.';
        END IF;
        next := coalesce(all_of[1], plan_id);
        by_plan := cognifold.take_back(tenant, next, next = plan_id);
        undone := undone || to_jsonb(next);
        EXIT WHEN next = plan_id;
        all_of := all_of[2:];
        -- What an undone undo had taken back is there again, and may stand in the way.
        IF EXISTS (SELECT FROM cognifold.plan AS p WHERE p.tenant_id = tenant AND p.plan_id = next AND p.undoes IS NOT NULL) THEN
            all_of := NULL;
        END IF;
    END LOOP;
    restored := (SELECT sum((p.result -> 'counts' ->> 'rows_restored')::bigint)
                 FROM cognifold.plan AS p WHERE p.tenant_id = tenant AND p.proposer = 'undo' AND p.status = 'applied'
                   AND p.undoes IN (SELECT u.id::uuid FROM jsonb_array_elements_text(undone) AS u (id)));
    PERFORM cognifold.leave_tenant(previous);
    RETURN jsonb_build_object('plan_id', by_plan, 'undone', undone,
                              'counts', jsonb_build_object('plans_undone', jsonb_array_length(undone), 'rows_restored', restored));
END
$$;
COMMENT ON FUNCTION cognifold.undo_plan(uuid, boolean, text) IS
    'Gives every row that a plan changed the state it had before, to the last bit, and returns {plan_id: the plan that did so, undone: [plan ids, newest first], counts}. Later plans that wrote the same rows, build on nodes it wrote, or did away with what a row would come back to are in the way, and so are those that build on them: without cascade CF023 lists all of them in its detail, newest first; with cascade they are undone first. An undo is a plan itself: undone, it is a redo. Counts of accesses and replays, ranks and queues are not journaled and stay. An event whose fold is undone is neither folded nor waiting (event.fold_state undone); retry queues it again. A plan that had a part in what is forgotten since, or that such a plan builds on, is not undone (CF048). Raises CF021 for a plan this tenant has not.';
