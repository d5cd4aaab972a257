-- audit: who remembered what, who changed the graph, and, where the tenant keeps account of it, who asked what.
CREATE OR REPLACE VIEW cognifold.audit WITH (security_invoker = true, security_barrier = true) AS
SELECT n.tenant_id, n.recorded_at AS at, n.recorded_by AS role_name, NULL::text AS login_name, 'remember' AS verb, n.id AS subject,
       NULL::bytea AS digest, NULL::text AS question, NULL::uuid[] AS node_ids
FROM cognifold.node AS n
WHERE n.tenant_id = cognifold.current_tenant() AND n.kind = 'event'
UNION ALL
SELECT p.tenant_id, p.applied_at, p.made_by, NULL, 'plan: ' || p.proposer, p.plan_id, NULL, NULL, NULL
FROM cognifold.plan AS p
WHERE p.tenant_id = cognifold.current_tenant()
UNION ALL
SELECT a.tenant_id, a.read_at, a.role_name, a.login_name, a.verb, NULL, a.digest, a.question, a.node_ids
FROM cognifold.audit_read AS a
WHERE a.tenant_id = cognifold.current_tenant();
COMMENT ON VIEW cognifold.audit IS 'Who did what to a memory: every event that was remembered, every plan, and, while audit.reads is on, every recall, explain_recall, context, context_window and explain. For members of cognifold_auditor, who see no text of the memory in it but, with audit.reads 2, the questions. What is selected from views and tables is not here: that is the server''s to log.';
COMMENT ON COLUMN cognifold.audit.at IS 'Wall clock.';
COMMENT ON COLUMN cognifold.audit.role_name IS 'The role that did it: SET ROLE''s, else the login role; NULL for what was there before this was kept.';
COMMENT ON COLUMN cognifold.audit.login_name IS 'Of a question, the role that logged in.';
COMMENT ON COLUMN cognifold.audit.verb IS 'remember; plan: and its proposer (sql, llm, user, consolidate, intent, undo, forget); or the verb that asked.';
COMMENT ON COLUMN cognifold.audit.subject IS 'The event, or the plan (see plan).';
COMMENT ON COLUMN cognifold.audit.digest IS 'SHA-256 of the question in UTF-8.';
COMMENT ON COLUMN cognifold.audit.question IS 'The question, where audit.reads is 2; NULL once anything of the tenant was forgotten since.';
COMMENT ON COLUMN cognifold.audit.node_ids IS 'What the question was told of. An id of what was forgotten since leads nowhere.';
