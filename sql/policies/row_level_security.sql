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
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', guarded);
        EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', guarded);
        EXECUTE format('DROP POLICY IF EXISTS verbs ON %s', guarded);
        EXECUTE format('DROP POLICY IF EXISTS readers ON %s', guarded);
        CONTINUE WHEN guarded = 'cognifold.tenant_member'::regclass;
        EXECUTE format('CREATE POLICY verbs ON %s TO cognifold_owner USING (tenant_id = cognifold.current_tenant())', guarded);
        EXECUTE format(
            'CREATE POLICY readers ON %s FOR SELECT TO cognifold_reader '
            'USING (tenant_id = cognifold.current_tenant() AND tenant_id = (SELECT cognifold.permitted_tenant()))', guarded);
    END LOOP;
END
$policies$;

-- Who is bound to which tenant is asked before a tenant is entered; only the owner's functions ask.
CREATE POLICY verbs ON cognifold.tenant_member TO cognifold_owner USING (true);

-- Workers must see who has work, monitors how each tenant does; the functions that tell them are owned by a role that sees
-- this table, the schedules and the tenants' names.
DROP POLICY IF EXISTS dispatch ON cognifold.work;
CREATE POLICY dispatch ON cognifold.work FOR SELECT TO cognifold_dispatch USING (true);
DROP POLICY IF EXISTS dispatch ON cognifold.tenant;
CREATE POLICY dispatch ON cognifold.tenant FOR SELECT TO cognifold_dispatch USING (true);
-- As must workers that post to webhooks.
DO $posting$
DECLARE
    queue regclass;
BEGIN
    FOREACH queue IN ARRAY ARRAY['cognifold.outbox_head', 'cognifold.outbox_consumer', 'cognifold.delivery', 'cognifold.intent_alarm',
                                 'cognifold.webhook']::regclass[]
    LOOP
        EXECUTE format('DROP POLICY IF EXISTS dispatch ON %s', queue);
        EXECUTE format('CREATE POLICY dispatch ON %s FOR SELECT TO cognifold_dispatch USING (true)', queue);
    END LOOP;
END
$posting$;
DROP POLICY IF EXISTS dispatch ON cognifold.schedule;
CREATE POLICY dispatch ON cognifold.schedule FOR SELECT TO cognifold_dispatch USING (true);
DROP POLICY IF EXISTS dispatch ON cognifold.job_run;
CREATE POLICY dispatch ON cognifold.job_run FOR SELECT TO cognifold_dispatch USING (true);
-- A monitor that is a reader, too, has a reader's privileges on whole rows (the reason a fold failed quotes content), and so a
-- reader's policy alone.
DROP POLICY IF EXISTS monitor ON cognifold.work;
CREATE POLICY monitor ON cognifold.work FOR SELECT TO cognifold_monitor
    USING ((SELECT NOT pg_has_role('cognifold_reader', 'USAGE')));
DROP POLICY IF EXISTS monitor ON cognifold.lexical_statistics;
CREATE POLICY monitor ON cognifold.lexical_statistics FOR SELECT TO cognifold_monitor
    USING ((SELECT NOT pg_has_role('cognifold_reader', 'USAGE')));

-- What triggers of watched tables write: each tenant's for the verbs, in the writer's own name for the tables' owners, who see none.
DROP POLICY IF EXISTS verbs ON cognifold_watch.inbox;
CREATE POLICY verbs ON cognifold_watch.inbox TO cognifold_owner USING (tenant_id = cognifold.current_tenant());
DROP POLICY IF EXISTS dispatch ON cognifold_watch.inbox;
CREATE POLICY dispatch ON cognifold_watch.inbox FOR SELECT TO cognifold_dispatch USING (true);
DROP POLICY IF EXISTS captures ON cognifold_watch.inbox;
CREATE POLICY captures ON cognifold_watch.inbox FOR INSERT WITH CHECK (captured_by = current_user);
