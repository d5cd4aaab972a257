-- Clearance: who may see only a part of a tenant reads it with the eyes of cognifold_cleared, whose policies show that part.
--
--   recall ──► clearance is private: its own statements, as cognifold_owner, as ever
--          └─► less: cleared_recall, the same text owned by cognifold_cleared
--
-- So what filters is row-level security, at every table a question touches, candidates included; and who sees everything, which is
-- the rule, pays one look-up a call. cognifold_cleared has no right to write, and calls none of the owner's verbs.
-- Views and tables that a reader selects from show it all or nothing (permitted_tenant), and by a second policy the same part where it
-- is a member of cognifold_partial, which set_clearance makes it. (A role of its own, for PostgreSQL chooses policies by role before it
-- plans: two of them for every reader made views fifteen times slower for those who see everything.)
-- A table that is not listed here shows such a role nothing: plans, journal and insights, which quote what they are about; what was
-- forgotten and which plans spoke of it; rules of retention, for their names and sources may be private; the graph in Apache AGE.
DO $clearance$
DECLARE
    guarded record;
    visible text;
    own     text;
BEGIN
    FOR guarded IN
        SELECT c.oid::regclass AS name, k.keys, k.readers
        FROM (VALUES
            -- Rows about nodes: seen where all of these nodes are.
            ('annotation', '{node_id}'::text[], true), ('concept_lexeme', '{node_id}', true), ('concept_state', '{node_id}', true),
            ('cue_reading', '{node_id}', true), ('embedding', '{node_id}', true), ('folded_event', '{event_id}', true),
            ('graph_edge', '{source_id,target_id}', true), ('intent_action_state', '{node_id}', true), ('intent_assessment', '{node_id}', true),
            ('intent_feedback', '{node_id}', true), ('intent_state', '{node_id}', true), ('intent_transition', '{node_id}', true),
            ('lexical_document', '{node_id}', true), ('mention', '{node_id}', true), ('node_content', '{node_id}', true),
            ('node_rank', '{node_id}', true), ('node_state', '{node_id}', true), ('posting', '{node_id}', true),
            ('state_statement', '{event_id}', true), ('vector_index', '{node_id}', true), ('vector_tail', '{node_id}', true),
            ('work', '{node_id}', true),
            -- Of the tenant, and not of anything that was said.
            ('decay_clock', '{}', true), ('setting', '{}', true), ('tenant', '{}', true),
            -- Counts over all of it, and packs of texts, which the verbs need and whose rows none of them returns.
            ('actor_frequency', '{}', false), ('actor_name', '{}', false), ('archived_content', '{}', false),
            ('embedding_statistics', '{}', false), ('lexeme_frequency', '{}', false), ('lexical_statistics', '{}', false),
            ('state_attribute', '{}', false), ('vector_count', '{}', false)
        ) AS k (name, keys, readers)
        JOIN pg_class AS c ON c.relname = k.name AND c.relnamespace = 'cognifold'::regnamespace
    LOOP
        -- (Spelled as the catalog spells it, or keep_policy would not know it again.)
        SELECT coalesce(string_agg(format('AND EXISTS (SELECT FROM cognifold.node n WHERE n.tenant_id = cognifold.current_tenant() AND n.id = %s.%I)', guarded.name, k.key), ' '), ''),
               coalesce(string_agg(format('AND cognifold.is_cleared(tenant_id, %I, (SELECT cognifold.cleared_levels()))', k.key), ' '),
                        'AND (SELECT cognifold.cleared_levels() IS NOT NULL)')
        INTO visible, own
        FROM unnest(guarded.keys) AS k (key);
        IF guarded.name = 'cognifold.work'::regclass THEN   -- why a fold failed quotes whatever it was told of
            own := own || ' AND error IS NULL';
            visible := visible || ' AND error IS NULL';
        END IF;
        PERFORM cognifold.keep_policy(guarded.name, 'cleared', 'cognifold_cleared', 'SELECT', 'tenant_id = cognifold.current_tenant() ' || visible);
        IF guarded.readers THEN
            PERFORM cognifold.keep_policy(guarded.name, 'partial', 'cognifold_partial', 'SELECT', 'tenant_id = cognifold.current_tenant() ' || own);
        END IF;
    END LOOP;
    visible := 'tenant_id = cognifold.current_tenant() AND privacy_level = ANY ((SELECT cognifold.cleared_levels())::text[])';
    PERFORM cognifold.keep_policy('cognifold.node', 'cleared', 'cognifold_cleared', 'SELECT', visible);
    PERFORM cognifold.keep_policy('cognifold.node', 'partial', 'cognifold_partial', 'SELECT', visible);
END
$clearance$;

-- The twins: the text of each reading verb, owned by who reads by clearance. Made anew whenever a verb may have changed.
GRANT USAGE, CREATE ON SCHEMA cognifold TO cognifold_cleared;
GRANT SELECT ON ALL TABLES IN SCHEMA cognifold TO cognifold_cleared;
REVOKE SELECT ON cognifold.tenant_member, cognifold.clearance, cognifold.webhook, cognifold.watch, cognifold.worker_process, cognifold.audit_read,
    cognifold.forgotten_key FROM cognifold_cleared;
DO $twins$
DECLARE
    verb record;
BEGIN
    FOR verb IN
        SELECT p.oid, p.proname, pg_get_function_identity_arguments(p.oid) AS arguments
        FROM pg_proc AS p
        WHERE p.pronamespace = 'cognifold'::regnamespace
          AND p.proname IN ('recall', 'explain_recall', 'context', 'context_window', 'explain', 'ranked_intents')
    LOOP
        EXECUTE format('DROP FUNCTION IF EXISTS cognifold.%I(%s)', 'cleared_' || verb.proname, verb.arguments);
        EXECUTE regexp_replace(pg_get_functiondef(verb.oid), format('FUNCTION cognifold\.%s\(', verb.proname), format('FUNCTION cognifold.cleared_%s(', verb.proname));
        EXECUTE format('REVOKE ALL ON FUNCTION cognifold.%I(%s) FROM PUBLIC', 'cleared_' || verb.proname, verb.arguments);
        EXECUTE format('COMMENT ON FUNCTION cognifold.%I(%s) IS %L', 'cleared_' || verb.proname, verb.arguments,
                       format('What %s shows to a caller whose clearance is not private: the same text, run as cognifold_cleared. Internal: %s calls it.', verb.proname, verb.proname));
        EXECUTE format('ALTER FUNCTION cognifold.%I(%s) OWNER TO cognifold_cleared', 'cleared_' || verb.proname, verb.arguments);
    END LOOP;
    -- What runs as who calls it may be called; of what runs as the owner, what asks about the caller alone, and the account of questions.
    FOR verb IN
        SELECT p.oid::regprocedure AS name FROM pg_proc AS p
        WHERE p.pronamespace = 'cognifold'::regnamespace AND p.proowner = 'cognifold_owner'::regrole
          AND (NOT p.prosecdef OR p.proname IN ('effective_role', 'tenant_permitted', 'clearance', 'note_read'))
    LOOP
        EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO cognifold_cleared', verb.name);
    END LOOP;
END
$twins$;
SET LOCAL ROLE cognifold_cleared;
DO $handed$
DECLARE
    twin regprocedure;
BEGIN
    FOR twin IN SELECT p.oid::regprocedure FROM pg_proc AS p WHERE p.pronamespace = 'cognifold'::regnamespace AND p.proowner = 'cognifold_cleared'::regrole LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO cognifold_owner', twin);
    END LOOP;
END
$handed$;
SET LOCAL ROLE cognifold_owner;
REVOKE CREATE ON SCHEMA cognifold FROM cognifold_cleared;
