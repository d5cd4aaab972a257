-- set_decay: changes how fast a tenant forgets from a moment on. Appends to the decay clock and touches no edge.
CREATE OR REPLACE FUNCTION cognifold.set_decay(
    rate       text,
    lambda     double precision,
    valid_from timestamptz DEFAULT NULL,
    tenant     text DEFAULT cognifold.required_tenant()
) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous text := cognifold.enter_tenant(tenant);
    starts   timestamptz := cognifold.checked_moment('set_decay', valid_from);
    latest   timestamptz;
BEGIN
    IF rate IS NULL OR rate NOT IN ('episodic', 'semantic') THEN
        RAISE EXCEPTION 'decay rate % is not known', coalesce(quote_literal(rate), 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Use ''episodic'' (edges from events) or ''semantic'' (all others).';
    END IF;
    IF lambda IS NULL OR NOT (lambda >= 0 AND lambda <= 1000) THEN
        RAISE EXCEPTION 'lambda % is out of range', coalesce(lambda::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Give a decay per hour between 0 (no forgetting) and 1000.';
    END IF;
    PERFORM cognifold.take_turn(tenant);
    SELECT max(c.valid_from) INTO latest
    FROM cognifold.decay_clock AS c WHERE c.tenant_id = set_decay.tenant AND c.rate = set_decay.rate;
    IF starts <= latest THEN
        RAISE EXCEPTION 'the decay clock already runs until %, so % is too early', latest, starts
            USING ERRCODE = 'CF010', HINT = 'A new rate starts after every earlier one: the past stays exact.';
    END IF;
    -- An edge's potential holds D at its stamp, so a rate that began before it would change what it weighs. What is stamped
    -- after the clock (an appointment of next year) is let be, or it would put off each change until then.
    SELECT max(e.stamped_at) INTO latest
    FROM cognifold.graph_edge AS e
    WHERE e.tenant_id = set_decay.tenant AND e.rate = set_decay.rate
      AND e.stamped_at > starts AND e.stamped_at <= greatest(cognifold.now(), pg_catalog.now());
    IF latest IS NOT NULL THEN
        RAISE EXCEPTION 'edges of the % rate are stamped until %, so % is too early', rate, latest, starts
            USING ERRCODE = 'CF010', HINT = 'Their weight would change after the fact. Let the new rate start at that moment or later.';
    END IF;
    INSERT INTO cognifold.decay_clock (tenant_id, rate, valid_from, lambda, cumulative)
    VALUES (set_decay.tenant, set_decay.rate, starts, set_decay.lambda,
            cognifold.decay_integral(set_decay.tenant, set_decay.rate, starts));
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.set_decay(text, double precision, timestamptz, text) IS
    'From valid_from (default: the clock) on, the rate ''episodic'' or ''semantic'' decays by lambda per hour; 0 stops forgetting. No edge is rewritten.';
