-- dead_letter: what was given up, with the reason and the way back.
CREATE OR REPLACE VIEW cognifold.dead_letter WITH (security_invoker = true, security_barrier = true) AS
SELECT w.tenant_id, 'fold' AS task, w.node_id AS event_id, w.occurred_at AS moment, w.attempts, w.error_state, w.error,
       format('SELECT cognifold.retry(%L)', w.node_id) AS remedy
FROM cognifold.work AS w
WHERE w.tenant_id = cognifold.current_tenant() AND w.task = 'fold' AND w.state = 'dead'
UNION ALL
SELECT r.tenant_id, r.job, NULL, r.period, r.attempts, r.error_state, r.error, format('SELECT cognifold.ask_job(%L)', r.job)
FROM cognifold.job_run AS r
WHERE r.tenant_id = cognifold.current_tenant() AND r.state = 'dead'
  AND NOT EXISTS (SELECT FROM cognifold.job_run AS l
                  WHERE l.tenant_id = r.tenant_id AND l.job = r.job AND l.state = 'done' AND l.started_at > r.started_at);
COMMENT ON VIEW cognifold.dead_letter IS 'What was given up of the tenant''s: events that could not be folded, and jobs that failed and were not done since.';
COMMENT ON COLUMN cognifold.dead_letter.task IS 'fold, or the job.';
COMMENT ON COLUMN cognifold.dead_letter.event_id IS 'The event; NULL of a job.';
COMMENT ON COLUMN cognifold.dead_letter.moment IS 'Event time; of a job the period.';
COMMENT ON COLUMN cognifold.dead_letter.error IS 'The reason of the last failure, in words.';
COMMENT ON COLUMN cognifold.dead_letter.remedy IS 'What has it done again, once the reason is gone.';
