-- Privileges: readers read under row-level security and call the reading verbs, writers call all verbs; no role writes a table itself.
REVOKE ALL ON SCHEMA cognifold FROM PUBLIC;
GRANT USAGE ON SCHEMA cognifold TO cognifold_reader, cognifold_monitor, cognifold_dispatch;
REVOKE ALL ON ALL TABLES IN SCHEMA cognifold FROM PUBLIC;
-- (Of the functions that are the owner's: what belongs to cognifold_dispatch sees to itself.)
DO $revoke$
DECLARE
    verb regprocedure;
BEGIN
    FOR verb IN
        SELECT p.oid::regprocedure FROM pg_proc AS p
        WHERE p.pronamespace IN ('cognifold'::regnamespace, 'cognifold_watch'::regnamespace) AND p.proowner = 'cognifold_owner'::regrole
    LOOP
        EXECUTE format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', verb);
    END LOOP;
END
$revoke$;

GRANT SELECT ON ALL TABLES IN SCHEMA cognifold TO cognifold_reader;
REVOKE SELECT ON cognifold.tenant_member, cognifold.webhook, cognifold.watch FROM cognifold_reader;
REVOKE SELECT ON cognifold.clearance, cognifold.grants, cognifold.audit_read, cognifold.audit FROM cognifold_reader;
REVOKE SELECT ON cognifold.worker_process FROM cognifold_reader;   -- names of machines
REVOKE SELECT ON cognifold.forgotten_key FROM cognifold_reader;    -- whoever guesses a key could ask whether it was there
GRANT SELECT (tenant_id, task, node_id, occurred_at, state, attempts, not_before, enqueued_at, lease_until, error_state)
    ON cognifold.work TO cognifold_monitor;
GRANT SELECT ON cognifold.lexical_statistics TO cognifold_monitor;
GRANT SELECT ON cognifold.stats, cognifold.health TO cognifold_monitor;
GRANT USAGE ON SCHEMA cognifold TO cognifold_auditor;
GRANT SELECT ON cognifold.audit, cognifold.audit_read TO cognifold_auditor;
GRANT SELECT (tenant_id, id, kind, recorded_at, recorded_by) ON cognifold.node TO cognifold_auditor;
GRANT SELECT (tenant_id, plan_id, proposer, applied_at, made_by) ON cognifold.plan TO cognifold_auditor;
GRANT EXECUTE ON FUNCTION cognifold.current_tenant(), cognifold.permitted_tenant(), cognifold.tenant_permitted(text), cognifold.effective_role(),
    cognifold.clearance(text) TO cognifold_auditor;
GRANT SELECT ON cognifold.work TO cognifold_dispatch;
GRANT SELECT ON cognifold_watch.inbox TO cognifold_dispatch;
GRANT SELECT ON cognifold.watched, cognifold.watch_error TO cognifold_monitor;
GRANT SELECT (tenant_id) ON cognifold.tenant TO cognifold_dispatch;
GRANT SELECT ON cognifold.schedule, cognifold.job TO cognifold_dispatch;
GRANT SELECT (tenant_id, job, lease_until) ON cognifold.job_run TO cognifold_dispatch;
GRANT SELECT ON cognifold.worker_process, cognifold.job, cognifold.lag, cognifold.graph_lag, cognifold.job_status, cognifold.diagnosis TO cognifold_monitor, cognifold_worker;

-- What policies, views and default arguments call in the reader's own name.
GRANT EXECUTE ON FUNCTION
    cognifold.current_tenant(), cognifold.required_tenant(), cognifold.effective_role(), cognifold.tenant_permitted(text),
    cognifold.permitted_tenant(), cognifold.clearance(text), cognifold.cleared_levels(), cognifold.is_cleared(text, uuid, text[]),
    cognifold.refused_to_cleared(timestamptz, boolean),
    cognifold.now(), cognifold.hours(timestamptz), cognifold.decay_integral(text, text, timestamptz),
    cognifold.mass(double precision, double precision), cognifold.logaddexp(double precision, double precision),
    cognifold.logsumexp(double precision), cognifold.setting(text, text), cognifold.settings(text),
    cognifold.intent_status(text, timestamptz, timestamptz, timestamptz), cognifold.known_at(),
    cognifold.images_since(text, timestamptz, text), cognifold.edges_at(text, timestamptz, uuid), cognifold.nodes_at(text, timestamptz, uuid[]),
    cognifold.concepts_at(text, timestamptz), cognifold.intents_at(text, timestamptz), cognifold.insights_at(text, timestamptz),
    cognifold.actions_at(text, timestamptz), cognifold.category_theta(text, text, timestamptz), cognifold.category_weight(text, text, timestamptz),
    cognifold.category_acceptance(text, timestamptz, timestamptz),
    cognifold.intent_value(double precision, double precision, timestamptz, timestamptz, double precision)
    TO cognifold_reader, cognifold_monitor;

GRANT EXECUTE ON FUNCTION
    cognifold.counts(), cognifold.health(), cognifold.watched(), cognifold.watch_errors(), cognifold.lags(), cognifold.graph_lags(), cognifold.job_states(), cognifold.diagnose(),
    cognifold.schema_version(), cognifold.oldest_client(), cognifold.version_numbers(text), cognifold.require_client(text), cognifold.drift()
    TO cognifold_reader, cognifold_monitor;

GRANT EXECUTE ON FUNCTION
    cognifold.pagerank(timestamptz, text), cognifold.context_window(integer, timestamptz, text),
    cognifold.recall(text, integer, text[], timestamptz, timestamptz, text[], text[], double precision, timestamptz, vector, text, timestamptz, uuid[], text[], text[], text),
    cognifold.explain_recall(text, integer, text[], timestamptz, timestamptz, text[], text[], double precision, timestamptz, vector, text, timestamptz, uuid[], text[], text[], text),
    cognifold.context(text, integer, text[], timestamptz, timestamptz, text[], text[], double precision, timestamptz, vector, text, timestamptz, uuid[], text[], text[], text),
    cognifold.query_terms(text, text), cognifold.explain(uuid, timestamptz, timestamptz, text),
    cognifold.graph_paths(uuid, uuid, integer, integer, text, text), cognifold.graph_neighbourhood(uuid, integer, integer, text, text),
    cognifold.graph_pattern(text, uuid, uuid, integer, integer, text, text),
    cognifold.check(text), cognifold.history(uuid, text), cognifold.plan(uuid, text), cognifold.export_tenant(boolean, text),
    cognifold.density(uuid, timestamptz, text), cognifold.theta(text, timestamptz, text),
    cognifold.ranked_intents(integer, timestamptz, text), cognifold.what_if_ignored(uuid, timestamptz, integer, text),
    cognifold.occurrences(text, timestamptz, integer, timestamptz, text),
    cognifold.affect(text), cognifold.dates(text, timestamptz, text),
    cognifold.embed(text, text, text), cognifold.words(text, integer), cognifold.plain_letters(text),
    cognifold.composed_vector(text), cognifold.word_pieces(text), cognifold.hashed_vector(text), cognifold.lexeme(text),
    cognifold.mne_score(double precision, double precision, double precision, bigint, double precision),
    cognifold.event_digest(text, text, jsonb, timestamptz, text, text)
    TO cognifold_reader;

GRANT EXECUTE ON FUNCTION
    cognifold.remember(text, text, timestamptz, text, text, jsonb, double precision, double precision, text, text, text, timestamptz, text, jsonb, text, text, text),
    cognifold.remember_many(jsonb, text),
    cognifold.fold(integer, text), cognifold.propose(uuid, text), cognifold.apply_plan(jsonb, text), cognifold.undo_plan(uuid, boolean, text), cognifold.retry(uuid, text),
    cognifold.claim_folds(integer, interval, text, text), cognifold.fold_request(uuid[], text),
    cognifold.apply_claimed(uuid[], bigint, jsonb, bigint, text, text), cognifold.fold_claimed(uuid, bigint, text, text),
    cognifold.fail_claimed(uuid[], bigint, text, text, text, interval, text), cognifold.release_claimed(uuid[], bigint, text),
    cognifold.store_embedding(uuid, vector, text, text), cognifold.awaiting_embedding(integer, text),
    cognifold.fold_without_embedding(uuid, text), cognifold.index_vectors(integer, text),
    cognifold.reembed(text, text), cognifold.awaiting_reembedding(integer, text), cognifold.store_reembedded(uuid[], vector[], text, text),
    cognifold.reembed_batch(integer, text), cognifold.abandon_reembedding(text),
    cognifold.consolidate(timestamptz, text, interval, bigint, boolean), cognifold.consolidate_step(uuid, timestamptz, text, interval, bigint, boolean),
    cognifold.consolidation_pause(uuid, text),
    cognifold.graph_sync(integer, text), cognifold.graph_rebuild(text),
    cognifold.refresh_ranks(boolean, text), cognifold.rebuild_statements(text),
    cognifold.note_recall(uuid[], text), cognifold.count_recalls(integer, text),
    cognifold.emit_intents(timestamptz, text), cognifold.answer_intent(uuid, text, text, timestamptz, text),
    cognifold.propose_actions(uuid, text), cognifold.set_action(uuid, integer, text, text, timestamptz, text, text),
    cognifold.create_consumer(text, text[], text[], boolean, text), cognifold.drop_consumer(text, text),
    cognifold.disable_consumer(text, text, text), cognifold.enable_consumer(text, text), cognifold.note_alarms(text),
    cognifold.take_deliveries(text, integer, interval, text, text), cognifold.acknowledge(text, bigint[], bigint, text),
    cognifold.fail_delivery(text, bigint[], bigint, text, interval, text), cognifold.release_deliveries(text, bigint[], bigint, text),
    cognifold.redeliver(text, bigint[], text), cognifold.purge_outbox(interval, text),
    cognifold.set_retention(text, interval, text, text, text[], text[], text[], text), cognifold.remove_retention(text, text),
    cognifold.apply_retention(timestamptz, integer, text),
    cognifold.create_tenant(text, text, text, text),
    cognifold.set_setting(text, double precision, text),
    cognifold.set_decay(text, double precision, timestamptz, text),
    cognifold.set_schedule(text, interval, integer, boolean, text), cognifold.ask_job(text, text),
    cognifold.watch(regclass, text, text, text, text, text, text, text, text[], text, text[], text[], text, text, text, text, text, text),
    cognifold.unwatch(text), cognifold.backfill(text, integer, boolean),
    -- What watch does step by step: it runs as who calls it, for a table's owner has no rights here.
    cognifold.template_parts(text), cognifold.checked_expression(regclass, text, text, text, text),
    cognifold.begin_watch(regclass, text, text), cognifold.watch_source(integer, regclass, text, jsonb),
    cognifold.record_watch(integer, regclass, text, text[], jsonb, jsonb, jsonb, integer[], text[])
    TO cognifold_writer;

GRANT EXECUTE ON FUNCTION
    cognifold.fold_if_free(integer, text), cognifold.fold_allowance(text), cognifold.emit_due(text), cognifold.outside_model(text),
    cognifold.due_jobs(), cognifold.note_due_jobs(text), cognifold.claim_jobs(integer, text[], text[], text[], text), cognifold.run_in_sql(text, text),
    cognifold.finish_job(text, timestamptz, bigint, jsonb, text, text, text), cognifold.release_job(text, timestamptz, bigint, text),
    cognifold.renew_job(text, timestamptz, bigint, text),
    cognifold.note_worker(text, text, text[], bigint, bigint, bigint, boolean)
    TO cognifold_worker;
GRANT EXECUTE ON PROCEDURE cognifold.work(interval) TO cognifold_worker;
GRANT EXECUTE ON PROCEDURE cognifold.fold_all(integer, text), cognifold.consolidate_all(timestamptz, text, interval, bigint, boolean) TO cognifold_writer;

-- What is forgotten does not come back: not for whoever may write.
GRANT EXECUTE ON FUNCTION cognifold.forget(uuid[], text, text, text, text, text, timestamptz, timestamptz, boolean, text),
    cognifold.set_retention(text, interval, text, text, text[], text[], text[], text), cognifold.remove_retention(text, text) TO cognifold_governor;

-- Where a tenant's happenings are posted, and what opens the door there, is between administrators and workers.
GRANT EXECUTE ON FUNCTION cognifold.webhook_of(text, text) TO cognifold_worker;
