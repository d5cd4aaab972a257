-- The roles of the house. Roles belong to the whole cluster, so this file runs on every install, in any database,
-- and leaves what is there alone. None can log in: an application's own role becomes a member of one of them.
DO $roles$
DECLARE
    wanted record;
BEGIN
    FOR wanted IN
        SELECT * FROM (VALUES
            ('cognifold_owner',       'owns every object of schema cognifold; its verbs run as this role, under row-level security'),
            ('cognifold_reader',      'may recall, explain and read the views of its tenant'),
            ('cognifold_writer',      'may also remember, fold, apply plans and consolidate'),
            ('cognifold_governor',    'may forget what its tenant''s memory holds, for good, and set rules of retention; reads as a reader'),
            ('cognifold_worker',      'a background process: a writer for every tenant, that may also see which tenants have work'),
            ('cognifold_monitor',     'may read counts and states of every tenant, and no content'),
            ('cognifold_multitenant', 'members choose their tenant by setting cognifold.tenant; roles in tenant_member need it not'),
            ('cognifold_clock',       'members may move the memory''s clock by setting cognifold.now (replays, tests)'),
            ('cognifold_dispatch',    'owns the one function that looks across tenants: who has work'),
            ('cognifold_auditor',     'may read who remembered, changed and asked what, in its tenant'),
            ('cognifold_partial',     'members see in views and tables the part that their clearance reaches; without it they see all of it there or nothing'),
            ('cognifold_cleared',     'owns the twins of the reading verbs: reads as far as the caller''s clearance reaches, and writes nothing'),
            ('cognifold_nobody',      'has no right at all: what belongs to somebody else is called as this role')
        ) AS r (name, purpose)
    LOOP
        IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = wanted.name) THEN
            BEGIN
                EXECUTE pg_catalog.format('CREATE ROLE %I NOLOGIN', wanted.name);
                EXECUTE pg_catalog.format('COMMENT ON ROLE %I IS %L', wanted.name, wanted.purpose);
            EXCEPTION
                WHEN duplicate_object OR unique_violation THEN NULL;  -- another database's install was faster
            END;
        END IF;
    END LOOP;

    -- A role is granted only where it is missing: two installs that grant at once would update one catalog row.
    FOR wanted IN
        SELECT * FROM (VALUES
            ('cognifold_reader', 'cognifold_writer'),
            ('cognifold_reader', 'cognifold_governor'),
            ('cognifold_writer', 'cognifold_worker'),
            ('cognifold_multitenant', 'cognifold_worker'),
            ('cognifold_dispatch', 'cognifold_owner'),
            ('cognifold_cleared', 'cognifold_owner'),
            ('cognifold_nobody', 'cognifold_owner')
        ) AS g (role, member)
    LOOP
        IF NOT EXISTS (
            SELECT FROM pg_catalog.pg_auth_members AS m
            WHERE m.roleid = wanted.role::pg_catalog.regrole AND m.member = wanted.member::pg_catalog.regrole
        ) THEN
            -- The owner may hand a function to these, but does not see with their eyes.
            EXECUTE pg_catalog.format('GRANT %I TO %I %s', wanted.role, wanted.member,
                CASE WHEN wanted.role IN ('cognifold_dispatch', 'cognifold_cleared', 'cognifold_nobody') THEN 'WITH INHERIT FALSE, SET TRUE' ELSE '' END);
        END IF;
    END LOOP;
END
$roles$;
