-- What is to be done when, who looks for work, and what came of it.
--
--   job ──► schedule ──► job_run     kinds of work; when each is due for a tenant; a row for each period it was run in
--   worker_process                   the processes that look for work, and when each was last seen
--
-- Rows, and no timer of a process: however many processes run, a period is claimed once, and what one leaves undone another takes up.

CREATE TABLE cognifold.job (
    job         text COLLATE "C" PRIMARY KEY CHECK (job ~ '^[a-z][a-z_]{0,39}$'),
    slot        text NOT NULL CHECK (slot IN ('light', 'heavy')),
    clock       text NOT NULL CHECK (clock IN ('memory', 'wall')),
    every       interval NOT NULL CHECK (every BETWEEN '1 second' AND '3650 days' AND date_part('month', every) = 0 AND date_part('year', every) = 0),
    jitter      interval NOT NULL CHECK (jitter >= '0' AND jitter <= every AND date_part('month', jitter) = 0 AND date_part('year', jitter) = 0),
    after_folds integer CHECK (after_folds > 0),
    in_sql      boolean NOT NULL,
    description text NOT NULL,
    own_every   interval CHECK (own_every BETWEEN '1 second' AND '3650 days' AND date_part('month', own_every) = 0 AND date_part('year', own_every) = 0),
    own_folds   integer CHECK (own_folds >= 0),
    own_enabled boolean
);
COMMENT ON TABLE cognifold.job IS 'The kinds of work that are done by a schedule. The install keeps all but the last three columns equal to the files.';
COMMENT ON COLUMN cognifold.job.slot IS 'light: soon done. heavy: may take minutes. A worker does one of each at a time, beside folding, so that none of the three waits for another.';
COMMENT ON COLUMN cognifold.job.clock IS 'By which clock it is due: memory (cognifold.now(): what is remembered ages by it), or wall (what is about machines).';
COMMENT ON COLUMN cognifold.job.every IS 'Length of a period, in days and shorter units: periods lie side by side from 2000-01-01 UTC on, so that one that was missed moves no other.';
COMMENT ON COLUMN cognifold.job.jitter IS 'Each tenant''s periods are shifted by a part of this, always the same one: not all memories sleep at once.';
COMMENT ON COLUMN cognifold.job.after_folds IS 'It is also due once so many events were folded since it last began; NULL: by the clock alone.';
COMMENT ON COLUMN cognifold.job.in_sql IS 'Whether the database can do it by itself (run_in_sql); else a worker must.';
COMMENT ON COLUMN cognifold.job.own_every IS 'What an administrator has set for all tenants instead (set_job); NULL: every.';
COMMENT ON COLUMN cognifold.job.own_folds IS 'Likewise of after_folds; 0: by the clock alone.';
COMMENT ON COLUMN cognifold.job.own_enabled IS 'false: an administrator has turned it off for all tenants that do not turn it on themselves.';

CREATE TABLE cognifold.schedule (
    tenant_id   text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    job         text COLLATE "C" NOT NULL REFERENCES cognifold.job (job) ON DELETE CASCADE,
    every       interval CHECK (every BETWEEN '1 second' AND '3650 days' AND date_part('month', every) = 0 AND date_part('year', every) = 0),
    after_folds integer CHECK (after_folds >= 0),
    enabled     boolean,
    next_at     timestamptz NOT NULL,
    wanted      text CHECK (wanted IN ('folds', 'asked')),
    last_period timestamptz,
    last_run_at timestamptz,
    PRIMARY KEY (tenant_id, job)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
COMMENT ON TABLE cognifold.schedule IS 'When each job is due for each tenant, and what the tenant has set differently (set_schedule). Workers add missing rows (note_due_jobs).';
COMMENT ON COLUMN cognifold.schedule.every IS 'The tenant''s own period; NULL: the job''s.';
COMMENT ON COLUMN cognifold.schedule.after_folds IS 'The tenant''s own number of folded events; 0: by the clock alone; NULL: the job''s.';
COMMENT ON COLUMN cognifold.schedule.enabled IS 'Whether the tenant has it done; NULL: as the job says.';
COMMENT ON COLUMN cognifold.schedule.next_at IS 'When the next period begins that has not been run, on the job''s clock.';
COMMENT ON COLUMN cognifold.schedule.wanted IS 'Due at once, because enough events were folded (folds) or somebody wants it (asked: ask_job); NULL: at next_at.';
COMMENT ON COLUMN cognifold.schedule.last_period IS 'The period it was last run for, on the job''s clock.';
COMMENT ON COLUMN cognifold.schedule.last_run_at IS 'When it last began (wall clock): folds are counted from there.';

CREATE SEQUENCE cognifold.job_fence;
COMMENT ON SEQUENCE cognifold.job_fence IS 'The numbers of claims (job_run.fence): never given twice, so that a late worker is told from the one that has the job now.';

CREATE TABLE cognifold.job_run (
    tenant_id   text COLLATE "C" NOT NULL REFERENCES cognifold.tenant (tenant_id) ON DELETE CASCADE,
    job         text COLLATE "C" NOT NULL REFERENCES cognifold.job (job) ON DELETE CASCADE,
    period      timestamptz NOT NULL,
    cause       text NOT NULL CHECK (cause IN ('period', 'folds', 'asked')),
    state       text NOT NULL CHECK (state IN ('running', 'failed', 'done', 'dead', 'missed')),
    attempts    smallint NOT NULL CHECK (attempts >= 0),
    fence       bigint NOT NULL,
    worker      text NOT NULL,
    started_at  timestamptz NOT NULL,
    lease_until timestamptz,
    finished_at timestamptz,
    report      jsonb,
    error_state text,
    error       text,
    PRIMARY KEY (tenant_id, job, period),
    CHECK ((state IN ('running', 'failed')) = (lease_until IS NOT NULL)),
    CHECK ((state IN ('running', 'failed')) = (finished_at IS NULL))
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX job_run_open ON cognifold.job_run (tenant_id, job) WHERE lease_until IS NOT NULL;
CREATE INDEX job_run_ended ON cognifold.job_run (tenant_id, finished_at) WHERE finished_at IS NOT NULL;
COMMENT ON TABLE cognifold.job_run IS 'Every period a job was run for: one row, whoever tried it and how often. A period in which there was nothing to do has none. Kept for schedule.keep days.';
COMMENT ON COLUMN cognifold.job_run.period IS 'When the period began, on the job''s clock; of a run between two periods (cause folds, asked) when it was first claimed.';
COMMENT ON COLUMN cognifold.job_run.state IS 'running; failed: is tried again from lease_until on; done; dead: failed schedule.attempts times; missed: nobody finished it before the next period.';
COMMENT ON COLUMN cognifold.job_run.attempts IS 'How often it was begun: counted at the claim; one that was given back is not.';
COMMENT ON COLUMN cognifold.job_run.fence IS 'Number of its last claim: only who knows it may write what came of it.';
COMMENT ON COLUMN cognifold.job_run.worker IS 'Who claimed it last, in its own words.';
COMMENT ON COLUMN cognifold.job_run.started_at IS 'When it was first claimed (wall clock, as lease_until and finished_at).';
COMMENT ON COLUMN cognifold.job_run.lease_until IS 'Until then nobody else takes it up; a worker that lives moves it on (renew_job).';
COMMENT ON COLUMN cognifold.job_run.report IS 'What came of it, in numbers.';

CREATE TABLE cognifold.worker_process (
    name       text COLLATE "C" PRIMARY KEY,
    version    text NOT NULL,
    does       text[] NOT NULL,
    started_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL,
    stopped_at timestamptz,
    folded     bigint NOT NULL DEFAULT 0,
    jobs       bigint NOT NULL DEFAULT 0,
    failures   bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
COMMENT ON TABLE cognifold.worker_process IS 'The processes that look for work. Nothing depends on it: it tells people who is there. Rows go a day after they were last seen.';
COMMENT ON COLUMN cognifold.worker_process.name IS 'Host, process and a number: how it signs its claims.';
COMMENT ON COLUMN cognifold.worker_process.version IS 'Of the package it runs.';
COMMENT ON COLUMN cognifold.worker_process.does IS 'fold, light, heavy: which slots it has.';
COMMENT ON COLUMN cognifold.worker_process.seen_at IS 'When it last said so (wall clock, as the other times).';
COMMENT ON COLUMN cognifold.worker_process.stopped_at IS 'When it said good-bye; NULL: it runs, or was killed.';
COMMENT ON COLUMN cognifold.worker_process.folded IS 'Events it has folded.';
COMMENT ON COLUMN cognifold.worker_process.jobs IS 'Jobs it has done.';
COMMENT ON COLUMN cognifold.worker_process.failures IS 'Jobs of its that failed, and times it lost the database.';
