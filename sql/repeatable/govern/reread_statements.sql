-- reread_statements: reads anew what events state of attributes that forgotten events had a part in naming.
CREATE OR REPLACE FUNCTION cognifold.reread_statements(tenant text, events uuid[]) RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    settings jsonb := cognifold.settings(tenant);
BEGIN
    -- In order, for a correction is of what was stated before it.
    PERFORM cognifold.note_statements(tenant, e.id, settings)
    FROM (SELECT n.id FROM unnest(events) AS e (id) JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = e.id
          ORDER BY n.occurred_at, n.id OFFSET 0) AS e;
END
$$;
COMMENT ON FUNCTION cognifold.reread_statements(text, uuid[]) IS 'Derives the statements of some events anew, in order of event time; events that are gone are passed over. Internal: forget_nodes calls it.';

CREATE OR REPLACE FUNCTION cognifold.statements_beside(tenant text, events uuid[]) RETURNS uuid[]
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
#variable_conflict use_variable
BEGIN
    RETURN ARRAY(
        SELECT s.event_id
        FROM (SELECT s.subject, s.attribute, min(s.occurred_at) AS since
              FROM unnest(events) AS e (id) JOIN cognifold.state_statement AS s ON s.tenant_id = tenant AND s.event_id = e.id
              GROUP BY s.subject, s.attribute) AS k
        JOIN cognifold.state_statement AS s ON s.tenant_id = tenant AND s.subject = k.subject AND s.attribute = k.attribute AND s.occurred_at >= k.since
        UNION
        SELECT s.event_id   -- a first name was taken for the one actor who bears it
        FROM (SELECT DISTINCT lower(n.actor) AS voice FROM unnest(events) AS e (id) JOIN cognifold.node AS n ON n.tenant_id = tenant AND n.id = e.id
              WHERE n.actor IS NOT NULL
                AND NOT EXISTS (SELECT FROM cognifold.actor_frequency AS a WHERE a.tenant_id = tenant AND a.actor = n.actor)) AS v
        JOIN cognifold.state_statement AS s ON s.tenant_id = tenant AND s.subject = v.voice);
END
$$;
COMMENT ON FUNCTION cognifold.statements_beside(text, uuid[]) IS
    'Events, they among them, whose statements may have their subject or attribute from these events: later ones of the same attribute, and those about an actor of theirs whom no other event has (after uncount_events). Internal: forget_nodes calls it.';
