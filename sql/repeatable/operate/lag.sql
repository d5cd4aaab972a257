-- lag: what waits, how long it has waited, and how soon it will be done. Cheaper than stats: it looks at work, not at memory.
CREATE OR REPLACE FUNCTION cognifold.lags() RETURNS TABLE (
    tenant_id text, waiting bigint, ready bigint, leased bigint, failed bigint, rate_limited bigint, dead bigint, oldest timestamptz,
    seconds double precision, folded_minute bigint, drained_in double precision, throttled boolean, unsettled bigint, intents_due bigint,
    jobs_running bigint, jobs_failed bigint
)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    wanted  text := cognifold.current_tenant();
    visited text;
    clock   timestamptz := clock_timestamp();
BEGIN
    FOR visited IN SELECT w.tenant FROM cognifold.watched_tenants() AS w LOOP
        PERFORM set_config('cognifold.tenant', visited, true);
        RETURN QUERY
        SELECT visited, w.waiting, w.ready, w.leased, w.failed, w.rate_limited, w.dead, w.oldest,
               coalesce(greatest(extract(epoch FROM clock - w.oldest), 0), 0)::double precision, f.folded,
               CASE WHEN w.waiting = 0 THEN 0 WHEN f.folded > 0 THEN 60.0 * w.waiting / f.folded END::double precision,
               w.ready > 0 AND cognifold.fold_share(visited) = 0, d.number, i.number, j.running, j.failed
        FROM (SELECT count(*) FILTER (WHERE w.state <> 'dead') AS waiting,
                     count(*) FILTER (WHERE w.state = 'ready' AND (w.lease_until IS NULL OR w.lease_until <= clock)) AS ready,
                     count(*) FILTER (WHERE w.state <> 'dead' AND w.lease_until > clock) AS leased,
                     count(*) FILTER (WHERE w.state = 'failed') AS failed, count(*) FILTER (WHERE w.state = 'rate_limited') AS rate_limited,
                     count(*) FILTER (WHERE w.state = 'dead') AS dead, min(w.enqueued_at) FILTER (WHERE w.state <> 'dead') AS oldest
              FROM cognifold.work AS w WHERE w.tenant_id = visited AND w.task = 'fold') AS w
        CROSS JOIN cognifold.folded_since(visited, clock - interval '1 minute', 1000000) AS f (folded)
        CROSS JOIN (SELECT count(*) AS number FROM cognifold.consolidation_dirty AS d WHERE d.tenant_id = visited) AS d
        CROSS JOIN (SELECT count(*) AS number FROM cognifold.intent_due AS d WHERE d.tenant_id = visited AND d.due_at <= cognifold.now()) AS i
        CROSS JOIN (SELECT count(*) FILTER (WHERE r.state = 'running' AND r.lease_until > clock) AS running,
                           count(*) FILTER (WHERE r.state = 'failed' OR r.lease_until <= clock) AS failed
                    FROM cognifold.job_run AS r WHERE r.tenant_id = visited AND r.lease_until IS NOT NULL) AS j;
    END LOOP;
    PERFORM set_config('cognifold.tenant', coalesce(wanted, ''), true);
END
$$;
COMMENT ON FUNCTION cognifold.lags() IS 'What the view lag shows. Internal.';

CREATE OR REPLACE VIEW cognifold.lag WITH (security_invoker = true) AS
SELECT l.tenant_id, l.waiting, l.ready, l.leased, l.failed, l.rate_limited, l.dead, l.oldest, l.seconds, l.folded_minute, l.drained_in,
       l.throttled, l.unsettled, l.intents_due, l.jobs_running, l.jobs_failed
FROM cognifold.lags() AS l;  -- which decides whose
COMMENT ON VIEW cognifold.lag IS 'How far a tenant''s memory is behind: numbers and times, no content. One row for the tenant that is set; with none set, members of cognifold_monitor and cognifold_worker see a row for each. An application that produces faster than is folded sees it here: drained_in grows.';
COMMENT ON COLUMN cognifold.lag.waiting IS 'Events that wait to be folded: all but the dead letters.';
COMMENT ON COLUMN cognifold.lag.ready IS 'Of these, those that nobody has in hand and that have not failed.';
COMMENT ON COLUMN cognifold.lag.leased IS 'Of these, those that a worker has claimed.';
COMMENT ON COLUMN cognifold.lag.failed IS 'Of these, those that failed and will be tried again.';
COMMENT ON COLUMN cognifold.lag.rate_limited IS 'Of these, those that wait for a model''s service.';
COMMENT ON COLUMN cognifold.lag.dead IS 'Events that failed too often: see dead_letter, and retry.';
COMMENT ON COLUMN cognifold.lag.oldest IS 'Since when the longest waiting event waits (wall clock).';
COMMENT ON COLUMN cognifold.lag.seconds IS 'How long that is, in seconds; 0 where nothing waits.';
COMMENT ON COLUMN cognifold.lag.folded_minute IS 'Events folded in the last minute.';
COMMENT ON COLUMN cognifold.lag.drained_in IS 'Seconds until nothing waits, if it goes on so and nothing is added; NULL where nothing was folded lately.';
COMMENT ON COLUMN cognifold.lag.throttled IS 'Events wait because the tenant has reached fold.rate or fold.budget.';
COMMENT ON COLUMN cognifold.lag.unsettled IS 'Nodes that the next sleep pass will look at.';
COMMENT ON COLUMN cognifold.lag.intents_due IS 'Looks at concepts that emit_intents has before it.';
COMMENT ON COLUMN cognifold.lag.jobs_running IS 'Jobs of the schedule that a worker has in hand.';
COMMENT ON COLUMN cognifold.lag.jobs_failed IS 'Jobs that failed, or were left, and will be tried again.';
