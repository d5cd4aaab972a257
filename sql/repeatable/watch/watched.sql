-- watched: the watches, how each stands and what came of it.
CREATE OR REPLACE FUNCTION cognifold.watched() RETURNS TABLE (
    name text, relation text, status text, detail text, operations text[], owner text, created_by text, created_at timestamptz,
    waiting bigint, oldest_waiting timestamptz, events bigint, repeated bigint, refused bigint, last_taken timestamptz,
    faults bigint, last_fault timestamptz, last_fault_state text, last_fault_message text,
    backfilled bigint, backfilled_at timestamptz, given jsonb
)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT w.name, coalesce(p.called, w.relation),
           CASE WHEN w.ended_at IS NOT NULL THEN 'ended' WHEN p.relation IS NULL THEN 'dropped' WHEN NOT p.is_enabled THEN 'disabled'
                WHEN c.missing IS NOT NULL OR r.runs_as <> w.owner THEN 'broken'
                WHEN c.retyped IS NOT NULL OR p.owner <> w.owner THEN 'changed' ELSE 'active' END,
           CASE WHEN w.ended_at IS NOT NULL THEN 'what it captured still becomes events'
                WHEN p.relation IS NULL THEN 'the table was dropped' WHEN NOT p.is_enabled THEN 'a trigger of it is disabled'
                WHEN c.missing IS NOT NULL THEN format('column %s is gone: unwatch, and watch anew', c.missing)
                WHEN r.runs_as <> w.owner THEN format('its triggers run as %I now: unwatch, and watch anew', r.runs_as)
                WHEN p.owner <> w.owner THEN format('the table is now owned by %I, its triggers run as %I: unwatch, and watch anew', p.owner, w.owner)
                WHEN c.retyped IS NOT NULL THEN format('column %s has another type now', c.retyped) END,
           w.operations, w.owner, w.created_by, w.created_at, coalesce(i.waiting, 0), i.oldest,
           n.events, n.repeated, n.refused, n.taken_at, f.number, l.happened_at, l.state, l.message, w.backfilled, w.backfilled_at, w.given
    FROM cognifold.watch AS w
    LEFT JOIN LATERAL cognifold.watch_place(w.watch_id) AS p ON true
    LEFT JOIN cognifold.waiting_captures() AS i USING (watch_id)
    LEFT JOIN LATERAL (
        SELECT min(k.key) FILTER (WHERE a.attname IS NULL) AS missing,
               min(k.key) FILTER (WHERE format_type(a.atttypid, a.atttypmod) <> k.value) AS retyped
        FROM jsonb_each_text(w.columns) AS k
        LEFT JOIN pg_attribute AS a ON a.attrelid = p.relation AND a.attname = k.key AND NOT a.attisdropped) AS c ON true
    LEFT JOIN LATERAL (
        SELECT max(o.rolname)::text AS runs_as FROM pg_trigger AS t JOIN pg_proc AS f ON f.oid = t.tgfoid JOIN pg_roles AS o ON o.oid = f.proowner
        WHERE t.tgrelid = p.relation AND f.pronamespace = 'cognifold_watch'::regnamespace AND f.proname LIKE format('w%s\_%%', w.watch_id)) AS r ON true
    -- Of the tenant that is set: counts of others are not for whoever asks.
    LEFT JOIN cognifold.watch_count AS n ON n.watch_id = w.watch_id AND n.tenant_id = cognifold.permitted_tenant()
    CROSS JOIN LATERAL (SELECT count(*) AS number FROM cognifold_watch.fault AS f WHERE f.watch_id = w.watch_id) AS f
    LEFT JOIN LATERAL (SELECT f.happened_at, f.state, f.message FROM cognifold_watch.fault AS f WHERE f.watch_id = w.watch_id
                       ORDER BY f.fault_id DESC LIMIT 1) AS l ON true
    WHERE cognifold.may_see_watch(w.owner, w.created_by)
    ORDER BY w.name;
END
$$;
COMMENT ON FUNCTION cognifold.watched() IS 'What the view watched shows. Internal.';

CREATE OR REPLACE VIEW cognifold.watched WITH (security_invoker = true) AS SELECT w.* FROM cognifold.watched() AS w;
COMMENT ON VIEW cognifold.watched IS 'Watches that the session''s role made, or on tables it owns; to members of cognifold_owner all of them.';
COMMENT ON COLUMN cognifold.watched.relation IS 'The table, as it is called now.';
COMMENT ON COLUMN cognifold.watched.status IS 'active; changed: a column has another type, or the table another owner; broken: a column is gone or the triggers run as another role, so that rows make no events; disabled: a trigger is; dropped: the table is gone; ended: by unwatch, and rows it captured still wait.';
COMMENT ON COLUMN cognifold.watched.waiting IS 'Captured rows that are no events yet, of all tenants.';
COMMENT ON COLUMN cognifold.watched.oldest_waiting IS 'Since when the longest waiting of them waits (wall clock).';
COMMENT ON COLUMN cognifold.watched.events IS 'Rows that became events of the tenant that is set.';
COMMENT ON COLUMN cognifold.watched.repeated IS 'Rows whose event was there already, of that tenant.';
COMMENT ON COLUMN cognifold.watched.refused IS 'Rows that remember refused, of that tenant.';
COMMENT ON COLUMN cognifold.watched.last_taken IS 'When rows of that tenant last became events (wall clock).';
COMMENT ON COLUMN cognifold.watched.faults IS 'Faults that are kept (watch_faults lists them).';
COMMENT ON COLUMN cognifold.watched.last_fault IS 'When the last of them was noted (wall clock).';
COMMENT ON COLUMN cognifold.watched.backfilled IS 'Rows that backfill has read.';
COMMENT ON COLUMN cognifold.watched.backfilled_at IS 'When backfill came to the last row (wall clock); NULL: it has not.';
