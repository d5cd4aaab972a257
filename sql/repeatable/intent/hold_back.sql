-- hold_back: keeps an impulsive intent from being emitted while a stronger one of the same matter is active, and notes why.
CREATE OR REPLACE FUNCTION cognifold.hold_back(
    tenant text, node_id uuid, members uuid[], evidence uuid[], readiness double precision, category text, deadline timestamptz,
    clock timestamptz, settings jsonb
) RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_variable
DECLARE
    stronger uuid := cognifold.suppressing_intent(tenant, members, evidence, readiness, category, deadline, clock, settings);
BEGIN
    IF stronger IS NULL THEN
        DELETE FROM cognifold.intent_hold AS h WHERE h.tenant_id = tenant AND h.node_id = hold_back.node_id;
        RETURN false;
    END IF;
    INSERT INTO cognifold.intent_hold AS h (tenant_id, node_id, held_by, as_of, reason)
    SELECT tenant, hold_back.node_id, stronger, clock,
           format('readiness %s is less than %s above the bar, no deadline is near, and "%s" is %s', round(readiness::numeric, 3),
                  (settings ->> 'intent.impulse')::numeric, n.title, CASE s.status WHEN 'scheduled' THEN 'scheduled' ELSE 'open' END)
    FROM cognifold.node AS n JOIN cognifold.intent_state AS s ON s.tenant_id = n.tenant_id AND s.node_id = n.id
    WHERE n.tenant_id = tenant AND n.id = stronger
    ON CONFLICT ON CONSTRAINT intent_hold_pkey DO UPDATE SET held_by = excluded.held_by, as_of = excluded.as_of, reason = excluded.reason;
    -- The stronger one may go by the clock alone.
    INSERT INTO cognifold.intent_due (tenant_id, node_id, due_at)
    SELECT tenant, hold_back.node_id, s.expires_at FROM cognifold.intent_state AS s WHERE s.tenant_id = tenant AND s.node_id = stronger AND s.expires_at > clock
    ON CONFLICT DO NOTHING;
    RETURN true;
END
$$;
COMMENT ON FUNCTION cognifold.hold_back(text, uuid, uuid[], uuid[], double precision, text, timestamptz, timestamptz, jsonb) IS
    'Whether what is at its bar (a concept, or an event) is not to become an intent now (suppressing_intent); then why stands in intent_hold, and it is looked at again when the stronger intent closes, is deferred, expires or is taken back. Internal: emit_intents calls it.';

CREATE OR REPLACE FUNCTION cognifold.note_released() RETURNS trigger
LANGUAGE plpgsql
SET search_path FROM CURRENT
AS $$
BEGIN
    INSERT INTO cognifold.intent_due (tenant_id, node_id, due_at)
    SELECT OLD.tenant_id, OLD.node_id, '-infinity'
    WHERE EXISTS (SELECT FROM cognifold.node AS n WHERE n.tenant_id = OLD.tenant_id AND n.id = OLD.node_id)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION cognifold.note_released() IS 'Trigger of intent_hold: what a concept was held back for is over. Internal.';
CREATE OR REPLACE TRIGGER hold_released AFTER DELETE ON cognifold.intent_hold FOR EACH ROW EXECUTE FUNCTION cognifold.note_released();
