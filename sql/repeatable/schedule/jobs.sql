-- The jobs that come with the memory. One more is a row here, a line in job_has_work where it can be asked cheaply whether there is
-- anything to do, and a function of its name in workers/jobs.py. Each look is a small write for each tenant: none is made every minute.
INSERT INTO cognifold.job AS j (job, slot, clock, every, jitter, after_folds, in_sql, description) VALUES
    ('intents',     'light', 'memory', '15 minutes', '15 minutes', NULL, true,  'Looks at concepts whose evidence, links or deadlines have changed (emit_intents). Workers also do so after each turn of folding.'),
    ('alarms',      'light', 'memory', '15 minutes', '15 minutes', NULL, true,  'Notes for consumers which deferred intents have woken and which have expired (note_alarms). Who takes deliveries does so, too.'),
    ('embed',       'light', 'wall',   '10 minutes', '10 minutes', NULL, false, 'Gives waiting events their vectors where an outside model makes them (awaiting_embedding).'),
    ('index',       'light', 'wall',   '15 minutes', '15 minutes', NULL, true,  'Moves vectors of a large memory into its index (index_vectors).'),
    ('consolidate', 'heavy', 'memory', '6 hours',    '1 hour',     50,   true,  'The sleep pass (consolidate).'),
    ('reembed',     'heavy', 'wall',   '10 minutes', '10 minutes', NULL, false, 'Goes on with a tenant''s move to another embedding model (reembed).'),
    ('retention',   'heavy', 'wall',   '1 day',      '1 day',      NULL, true,  'Removes what only tells of work long done: job_run after schedule.keep days, and of the outbox what every consumer has acknowledged (purge_outbox).')
ON CONFLICT (job) DO UPDATE
    SET slot = excluded.slot, clock = excluded.clock, every = excluded.every, jitter = excluded.jitter, after_folds = excluded.after_folds,
        in_sql = excluded.in_sql, description = excluded.description
    WHERE (j.slot, j.clock, j.every, j.jitter, j.after_folds, j.in_sql, j.description)
          IS DISTINCT FROM (excluded.slot, excluded.clock, excluded.every, excluded.jitter, excluded.after_folds, excluded.in_sql, excluded.description);
