-- schedules_due: the one look across tenants for what is due by schedule. It belongs to cognifold_dispatch, whose policies show it the
-- schedules and runs of every tenant, and nothing of what anybody remembers.
GRANT USAGE, CREATE ON SCHEMA cognifold TO cognifold_dispatch;
GRANT EXECUTE ON FUNCTION cognifold.tenant_permitted(text) TO cognifold_dispatch;
SET LOCAL ROLE cognifold_dispatch;
CREATE OR REPLACE FUNCTION cognifold.schedules_due(memory_moment timestamptz) RETURNS TABLE (tenant text, job text, slot text)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
    -- Whether the role may is asked of what is due, and not of every row.
    WITH due AS MATERIALIZED (
        SELECT s.tenant_id, s.job, j.slot, s.wanted, s.next_at
        FROM cognifold.schedule AS s
        JOIN cognifold.job AS j ON j.job = s.job
        CROSS JOIN LATERAL (SELECT coalesce(s.every, j.own_every, j.every) AS every,
                                   CASE j.clock WHEN 'memory' THEN memory_moment ELSE clock_timestamp() END AS moment) AS c
        LEFT JOIN cognifold.job_run AS r ON r.tenant_id = s.tenant_id AND r.job = s.job AND r.lease_until IS NOT NULL
        WHERE coalesce(s.enabled, j.own_enabled, true)
          AND CASE WHEN r.lease_until IS NULL
                   THEN s.wanted IS NOT NULL OR s.next_at <= c.moment
                        OR s.next_at > c.moment + c.every   -- a clock has been set back, or the period made shorter
                   ELSE r.lease_until <= clock_timestamp() END
    )
    SELECT d.tenant_id, d.job, d.slot FROM due AS d
    WHERE cognifold.tenant_permitted(d.tenant_id)
    ORDER BY d.wanted IS NULL, d.next_at, d.tenant_id, d.job
$$;
COMMENT ON FUNCTION cognifold.schedules_due(timestamptz) IS
    'Which jobs of which tenants may be claimed at that moment of the memory''s clock: wanted at once, a new period, or left undone by somebody whose lease has run out. Names only. Internal.';
CREATE OR REPLACE FUNCTION cognifold.schedules_missing() RETURNS TABLE (tenant text, job text)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
    WITH missing AS MATERIALIZED (
        SELECT t.tenant_id, j.job
        FROM cognifold.tenant AS t CROSS JOIN cognifold.job AS j
        WHERE NOT EXISTS (SELECT FROM cognifold.schedule AS s WHERE s.tenant_id = t.tenant_id AND s.job = j.job)
    )
    SELECT m.tenant_id, m.job FROM missing AS m
    WHERE cognifold.tenant_permitted(m.tenant_id)
    ORDER BY m.tenant_id, m.job
$$;
COMMENT ON FUNCTION cognifold.schedules_missing() IS 'Which jobs are in no tenant''s schedule yet: the tenant, or the job, is new. Internal.';
REVOKE ALL ON FUNCTION cognifold.schedules_due(timestamptz), cognifold.schedules_missing() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION cognifold.schedules_due(timestamptz), cognifold.schedules_missing() TO cognifold_owner;
SET LOCAL ROLE cognifold_owner;
REVOKE CREATE ON SCHEMA cognifold FROM cognifold_dispatch;
