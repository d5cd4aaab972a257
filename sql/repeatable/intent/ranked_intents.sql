-- ranked_intents: the open intents in the order in which they are worth showing.
CREATE OR REPLACE FUNCTION cognifold.ranked_intents(
    k integer DEFAULT 10, as_of timestamptz DEFAULT NULL, tenant text DEFAULT cognifold.required_tenant()
) RETURNS TABLE (
    rank bigint, intent_id uuid, title text, status text, category text, value double precision, readiness double precision,
    acceptance double precision, urgency double precision, deadline timestamptz
)
LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    previous  text := cognifold.scope_tenant(ranked_intents.tenant);
    clock     timestamptz := coalesce(ranked_intents.as_of, cognifold.now());
    foresight double precision := cognifold.setting('intent.foresight', ranked_intents.tenant);
BEGIN
    IF cognifold.sees_in_part(ranked_intents.tenant) THEN
        RETURN QUERY SELECT c.* FROM cognifold.cleared_ranked_intents(ranked_intents.k, ranked_intents.as_of, ranked_intents.tenant) AS c;
        PERFORM cognifold.leave_tenant(previous);
        RETURN;
    END IF;
    IF k IS NULL OR k < 1 THEN
        RAISE EXCEPTION 'ranked_intents: k = % is not a number of intents', coalesce(k::text, 'NULL')
            USING ERRCODE = 'CF010', HINT = 'Ask for one or more.';
    END IF;
    RETURN QUERY
    SELECT row_number() OVER (ORDER BY v.value DESC, n.occurred_at, n.id), n.id, n.title, x.status, s.category, v.value, s.readiness,
           a.acceptance, cognifold.intent_value(1, 1, s.deadline, clock, foresight), s.deadline
    FROM cognifold.intent_state AS s
    JOIN cognifold.node AS n ON n.tenant_id = s.tenant_id AND n.id = s.node_id
    JOIN cognifold.category_acceptance(ranked_intents.tenant, clock) AS a ON a.category = s.category
    CROSS JOIN LATERAL (   -- where it has gone further since, the steps up to then say where it stood
        SELECT coalesce(bool_or(t.at > clock), false) AS later,
               (array_agg(t.to_status ORDER BY t.position DESC) FILTER (WHERE t.at <= clock))[1] AS status,
               (array_agg(t.wake_at ORDER BY t.position DESC) FILTER (WHERE t.at <= clock))[1] AS wake_at
        FROM cognifold.intent_transition AS t
        WHERE t.tenant_id = ranked_intents.tenant AND t.node_id = s.node_id
    ) AS p
    CROSS JOIN LATERAL (
        SELECT cognifold.intent_status(CASE WHEN p.later THEN coalesce(p.status, 'pending') ELSE s.status END,
                                       CASE WHEN p.later THEN p.wake_at ELSE s.wake_at END, s.expires_at, clock) AS status
    ) AS x
    CROSS JOIN LATERAL (SELECT cognifold.intent_value(s.readiness, a.acceptance, s.deadline, clock, foresight) AS value) AS v
    WHERE s.tenant_id = ranked_intents.tenant AND (s.closed_at IS NULL OR s.closed_at > clock) AND x.status IN ('pending', 'scheduled') AND n.occurred_at <= clock
    ORDER BY 1
    LIMIT k;
    PERFORM cognifold.leave_tenant(previous);
END
$$;
COMMENT ON FUNCTION cognifold.ranked_intents(integer, timestamptz, text) IS
    'The k open intents (pending or scheduled at as_of) of the greatest expected value, best first: value = acceptance * readiness * urgency, in [0, 2]. acceptance: the chance that an intent of the category is welcome, (accepted + a n) / (answers + n) over the answers so far, a = intent.acceptance, n = intent.acceptance_weight; accept and modify count 1, defer 1/2, reject 0. readiness: what it was emitted with; NULL, and counted 1, for one that a user stated. urgency: 1 + 2^(-days to the deadline / intent.foresight), 1 without one, 2 from it on. Equals in order of time.';
