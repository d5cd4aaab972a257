-- Row-level security: every table with a tenant shows and takes rows of the session's tenant only, for the owner too.
--
-- The memory's verbs run as cognifold_owner after enter_tenant has checked who calls, so the owner's policy is the plain
-- comparison. A role that reads tables or views itself is checked by its own policy: bound roles see their tenants only.
-- Both compare with current_tenant(), NULL when unset: no tenant, no row. It stands bare, so that the planner sees whose rows
-- they are. A query may change the setting while it runs; so for readers a subquery also fixes, once a statement, which tenant
-- the role was allowed, and rows must be of that one, too.
DO $policies$
DECLARE
    guarded regclass;
BEGIN
    FOR guarded IN
        SELECT c.oid::regclass
        FROM pg_class AS c
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped
        WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind IN ('r', 'p')
        ORDER BY c.relname
    LOOP
        -- What is as it should be is left alone (here and in keep_policy): each of these locks the table for everybody.
        IF NOT (SELECT c.relrowsecurity AND c.relforcerowsecurity FROM pg_class AS c WHERE c.oid = guarded) THEN
            EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', guarded);
            EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', guarded);
        END IF;
        CONTINUE WHEN guarded IN ('cognifold.tenant_member'::regclass, 'cognifold.clearance'::regclass);
        PERFORM cognifold.keep_policy(guarded, 'verbs', 'cognifold_owner', 'ALL', 'tenant_id = cognifold.current_tenant()');
        PERFORM cognifold.keep_policy(guarded, 'readers', 'cognifold_reader', 'SELECT',
            'tenant_id = cognifold.current_tenant() AND tenant_id = (SELECT cognifold.permitted_tenant())');
    END LOOP;
    -- Who is bound to which tenant, and cleared for what of it, is asked before a tenant is entered; only the owner's functions ask.
    PERFORM cognifold.keep_policy('cognifold.tenant_member', 'verbs', 'cognifold_owner', 'ALL', 'true');
    PERFORM cognifold.keep_policy('cognifold.clearance', 'verbs', 'cognifold_owner', 'ALL', 'true');

    -- Workers must see who has work, monitors how each tenant does; the functions that tell them are owned by a role that sees
    -- this table, the schedules and the tenants' names. As must workers that post to webhooks.
    FOREACH guarded IN ARRAY ARRAY['cognifold.work', 'cognifold.tenant', 'cognifold.schedule', 'cognifold.job_run',
                                   'cognifold.outbox_head', 'cognifold.outbox_consumer', 'cognifold.delivery', 'cognifold.intent_alarm',
                                   'cognifold.webhook']::regclass[]
    LOOP
        PERFORM cognifold.keep_policy(guarded, 'dispatch', 'cognifold_dispatch', 'SELECT', 'true');
    END LOOP;
    -- A monitor that is a reader, too, has a reader's privileges on whole rows (the reason a fold failed quotes content), and so
    -- a reader's policy alone.
    FOREACH guarded IN ARRAY ARRAY['cognifold.work', 'cognifold.lexical_statistics']::regclass[] LOOP
        PERFORM cognifold.keep_policy(guarded, 'monitor', 'cognifold_monitor', 'SELECT', '(SELECT NOT pg_has_role(''cognifold_reader'', ''USAGE''))');
    END LOOP;

    -- Auditors see who did what, and no more of a node or a plan than that (privileges).
    FOREACH guarded IN ARRAY ARRAY['cognifold.audit_read', 'cognifold.node', 'cognifold.plan']::regclass[] LOOP
        PERFORM cognifold.keep_policy(guarded, 'auditors', 'cognifold_auditor', 'SELECT',
            'tenant_id = cognifold.current_tenant() AND tenant_id = (SELECT cognifold.permitted_tenant())');
    END LOOP;

    -- What triggers of watched tables write: each tenant's for the verbs, in the writer's own name for the tables' owners, who see none.
    guarded := 'cognifold_watch.inbox';
    PERFORM cognifold.keep_policy(guarded, 'verbs', 'cognifold_owner', 'ALL', 'tenant_id = cognifold.current_tenant()');
    PERFORM cognifold.keep_policy(guarded, 'dispatch', 'cognifold_dispatch', 'SELECT', 'true');
    PERFORM cognifold.keep_policy(guarded, 'captures', 'public', 'INSERT', NULL, 'captured_by = CURRENT_USER');
END
$policies$;
