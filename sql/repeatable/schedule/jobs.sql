-- The jobs that come with the memory. One more is a row here, a line in job_has_work where it can be asked cheaply whether there is
-- anything to do, and a function of its name in workers/jobs.py. Each look is a small write for each tenant: none is made every minute.
-- own_enabled is the administrator's from then on.
INSERT INTO cognifold.job AS j (job, slot, clock, every, jitter, after_folds, in_sql, description, own_enabled) VALUES
    ('intents',     'light', 'memory', '15 minutes', '15 minutes', NULL, true,  'Looks at concepts whose evidence, links or deadlines have changed (emit_intents). Workers also do so after each turn of folding.', NULL),
    ('alarms',      'light', 'memory', '15 minutes', '15 minutes', NULL, true,  'Notes for consumers which deferred intents have woken and which have expired (note_alarms). Who takes deliveries does so, too.', NULL),
    ('embed',       'light', 'wall',   '10 minutes', '10 minutes', NULL, false, 'Gives waiting events their vectors where an outside model makes them (awaiting_embedding).', NULL),
    ('index',       'light', 'wall',   '15 minutes', '15 minutes', NULL, true,  'Moves vectors of a large memory into its index (index_vectors).', NULL),
    ('consolidate', 'heavy', 'memory', '6 hours',    '1 hour',     50,   true,  'The sleep pass (consolidate).', NULL),
    ('reembed',     'heavy', 'wall',   '10 minutes', '10 minutes', NULL, false, 'Goes on with a tenant''s move to another embedding model (reembed).', NULL),
    ('graph',       'light', 'wall',   '5 minutes',  '5 minutes',  NULL, true,  'Carries changes over to the tenant''s graph in Apache AGE (graph_sync). Off but for tenants that have one (graph_enable).', false),
    ('retention',   'heavy', 'wall',   '1 day',      '1 day',      NULL, true,  'Applies the tenant''s rules of retention (apply_retention), and removes what only tells of work long done: runs of jobs and passes, old rows of the audit, and of the outbox what every consumer has acknowledged (purge_outbox).', NULL)
ON CONFLICT (job) DO UPDATE
    SET slot = excluded.slot, clock = excluded.clock, every = excluded.every, jitter = excluded.jitter, after_folds = excluded.after_folds,
        in_sql = excluded.in_sql, description = excluded.description
    WHERE (j.slot, j.clock, j.every, j.jitter, j.after_folds, j.in_sql, j.description)
          IS DISTINCT FROM (excluded.slot, excluded.clock, excluded.every, excluded.jitter, excluded.after_folds, excluded.in_sql, excluded.description);
