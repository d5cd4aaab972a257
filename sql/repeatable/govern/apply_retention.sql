-- apply_retention: one bounded step of a pass over the tenant's rules of retention; a pass that was left goes on where it was.
CREATE OR REPLACE FUNCTION cognifold.apply_retention(
    as_of timestamptz DEFAULT NULL, max_nodes integer DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS jsonb
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    clock    timestamptz := cognifold.checked_moment('apply_retention', coalesce(as_of, cognifold.now()));
    budget   integer := coalesce(max_nodes, cognifold.setting('retention.batch', tenant));
    pass     cognifold.retention_run;
    rule     cognifold.retention;
    step     record;
BEGIN
    IF budget < 1 OR as_of > cognifold.now() THEN
        RAISE EXCEPTION 'apply_retention: %', CASE WHEN budget < 1 THEN format('max_nodes = %s is not a positive number', budget)
                                                   ELSE format('as_of = %s is after the memory''s clock', as_of) END
            USING ERRCODE = 'CF010', HINT = 'Nothing was done. What will be old one day is kept until then.';
    END IF;
    PERFORM cognifold.take_turn(tenant);
    SELECT r.* INTO pass FROM cognifold.retention_run AS r WHERE r.tenant_id = tenant AND r.finished_at IS NULL;
    IF pass.as_of <> as_of THEN   -- somebody asks about another moment
        UPDATE cognifold.retention_run AS r SET finished_at = clock_timestamp(), rule = NULL WHERE r.tenant_id = tenant AND r.run_id = pass.run_id;
        pass := NULL;
    END IF;
    IF pass.run_id IS NULL THEN
        INSERT INTO cognifold.retention_run AS r (tenant_id, run_id, as_of, started_at) VALUES (tenant, cognifold.new_id(), clock, clock_timestamp())
        RETURNING r.* INTO pass;
    END IF;
    LOOP
        SELECT r.* INTO rule FROM cognifold.retention AS r WHERE r.tenant_id = tenant AND r.name >= coalesce(pass.rule, '') ORDER BY r.name LIMIT 1;
        IF NOT FOUND THEN
            pass.finished_at := clock_timestamp();
            pass.rule := NULL;
            EXIT;
        END IF;
        EXIT WHEN budget = 0;
        IF rule.name IS DISTINCT FROM pass.rule THEN
            pass.rule := rule.name;
            pass.place_at := NULL;
            pass.place_id := NULL;
        END IF;
        SELECT a.* INTO step FROM cognifold.apply_rule(rule, pass.as_of, budget, pass.place_at, pass.place_id) AS a;
        pass.place_at := step.place_at;
        pass.place_id := step.place_id;
        pass.looked_at := pass.looked_at + step.looked_at;
        pass.archived := pass.archived + CASE rule.action WHEN 'archive' THEN step.applied ELSE 0 END;
        pass.forgotten := pass.forgotten + CASE rule.action WHEN 'forget' THEN step.applied ELSE 0 END;
        pass.by_rule := pass.by_rule || jsonb_build_object(rule.name, coalesce((pass.by_rule ->> rule.name)::bigint, 0) + step.applied);
        IF step.looked_at < budget THEN   -- this one is done: on with the first name after it
            pass.rule := rule.name || E'\x01';
        END IF;
        budget := budget - step.looked_at;
    END LOOP;
    UPDATE cognifold.retention_run AS r
    SET finished_at = pass.finished_at, rule = pass.rule, place_at = pass.place_at, place_id = pass.place_id, looked_at = pass.looked_at,
        archived = pass.archived, forgotten = pass.forgotten, by_rule = pass.by_rule
    WHERE r.tenant_id = tenant AND r.run_id = pass.run_id;
    PERFORM cognifold.leave_tenant(previous);
    RETURN jsonb_build_object('run_id', pass.run_id, 'as_of', pass.as_of, 'looked_at', pass.looked_at, 'archived', pass.archived,
                              'forgotten', pass.forgotten, 'by_rule', pass.by_rule, 'more', pass.finished_at IS NULL);
END
$$;
COMMENT ON FUNCTION cognifold.apply_retention(timestamptz, integer, text) IS
    'Archives or forgets what is older at as_of (the memory''s clock) than the tenant''s rules of retention keep it: looks at up to max_nodes old nodes (retention.batch), rule by rule by name, and returns the pass so far, {run_id, as_of, looked_at, archived, forgotten, by_rule, more}. While more is true, call it again, in a transaction of its own: the pass goes on where it stopped, also after a crash; its row is in retention_run. Another as_of ends an open pass and begins one. The job retention does all this. Raises CF010 for an as_of ahead of the clock.';
