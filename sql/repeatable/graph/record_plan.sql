-- record_plan: enters a plan into the record: what it was to do, what came of it, what was there before.
CREATE OR REPLACE FUNCTION cognifold.record_plan(
    tenant text, plan_id uuid, plan jsonb, proposer text, undoes uuid, result jsonb, changes jsonb, clock timestamptz
) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    folded uuid[];
BEGIN
    -- Its turn is taken, so nobody else gives numbers to this tenant's plans; and time never runs back for them.
    INSERT INTO cognifold.plan (
        tenant_id, plan_id, version, proposer, trigger_event_id, reasoning, operations, result, undoes, as_of, applied_at, made_by)
    SELECT tenant, plan_id, coalesce(max(l.version), 0) + 1, proposer, (plan ->> 'trigger_event_id')::uuid, coalesce(plan ->> 'reasoning', ''),
           plan -> 'operations', result, undoes, clock, greatest(clock_timestamp(), max(l.applied_at) + interval '1 microsecond'),
           cognifold.effective_role()
    FROM (SELECT p.version, p.applied_at FROM cognifold.plan AS p WHERE p.tenant_id = tenant ORDER BY p.version DESC LIMIT 1) AS l;
    -- What is folded waits no more.
    IF undoes IS NULL THEN
        folded := ARRAY(SELECT c.node_id FROM jsonb_to_recordset(changes) AS c (relation text, node_id uuid) WHERE c.relation = 'folded_event');
        INSERT INTO cognifold.folded_event (tenant_id, event_id, plan_id) SELECT tenant, f.id, plan_id FROM unnest(folded) AS f (id);
        DELETE FROM cognifold.work AS w WHERE w.tenant_id = tenant AND w.task = 'fold' AND w.node_id = ANY (folded);
    END IF;
    PERFORM cognifold.journal_changes(tenant, plan_id, changes);
    -- Whom its words are about without a row of theirs in the journal: forgetting must find them. The SQL planner speaks of nobody else.
    IF proposer NOT IN ('sql', 'undo', 'forget') THEN
        INSERT INTO cognifold.plan_mention (tenant_id, node_id, plan_id)
        SELECT tenant, m.id, plan_id
        FROM (SELECT u.id[1]::uuid AS id
              FROM regexp_matches(plan ->> 'operations', '[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}', 'g') AS u (id)
              EXCEPT
              SELECT v.id FROM cognifold.journal AS j CROSS JOIN LATERAL (VALUES (j.node_id), (j.other_id)) AS v (id)
              WHERE j.tenant_id = tenant AND j.plan_id = record_plan.plan_id) AS m
        WHERE EXISTS (SELECT FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = m.id);
    END IF;
    PERFORM cognifold.mark_ranks(tenant, changes);
    IF proposer <> 'consolidate' THEN
        PERFORM cognifold.mark_changed(tenant, changes);
    ELSE
        PERFORM cognifold.mark_strengthened(tenant, changes, clock + interval '1 microsecond');
    END IF;
END
$$;
COMMENT ON FUNCTION cognifold.record_plan(text, uuid, jsonb, text, uuid, jsonb, jsonb, timestamptz) IS
    'Writes the plan with the next version of the tenant''s graph, the events it is the fold of, which leave the queue, and its journal, the nodes it only speaks of (plan_mention), and tells the next consolidation and whoever settles the ranks. Internal: execute_plan, take_back and forget_nodes call it.';
