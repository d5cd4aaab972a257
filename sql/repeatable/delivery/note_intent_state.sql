-- The triggers of intent_state: what happens to an intent is noted where it happens, whoever brought it about.
--
-- What an intent is follows from its row and the clock (intent_status), so two rows are compared by what they say at the clock.
-- A step is a change of the row and a row of intent_transition after it, which adds why; an undo is a change of the row alone.
CREATE OR REPLACE FUNCTION cognifold.note_intent_state() RETURNS trigger
LANGUAGE plpgsql
SET search_path FROM CURRENT
AS $$
DECLARE
    tenant   text := CASE TG_OP WHEN 'DELETE' THEN OLD.tenant_id ELSE NEW.tenant_id END;
    previous text := cognifold.current_tenant();
    clock    timestamptz := cognifold.now();
    earlier  text;  -- the status before, at the clock
    present  text;
    told     bigint;
BEGIN
    IF previous IS DISTINCT FROM tenant THEN   -- an administrator, past row-level security
        PERFORM set_config('cognifold.tenant', tenant, true);
    END IF;

    IF TG_OP = 'DELETE' THEN
        -- Its words are gone with it, and what was forgotten has no deadline either.
        PERFORM cognifold.write_outbox(tenant, jsonb_build_array(jsonb_build_object(
            'node_id', OLD.node_id, 'kind', 'withdrawn', 'category', OLD.category, 'moment', clock,
            'from_status', cognifold.intent_status(OLD.status, OLD.wake_at, OLD.expires_at, clock))));
    ELSE
        present := cognifold.intent_status(NEW.status, NEW.wake_at, NEW.expires_at, clock);
        IF TG_OP = 'INSERT' THEN
            PERFORM cognifold.write_outbox(tenant, jsonb_build_array(jsonb_build_object(
                'node_id', NEW.node_id, 'kind', 'emitted', 'status', present, 'category', NEW.category, 'moment', clock, 'wake_at', NEW.wake_at,
                'deadline', NEW.deadline, 'expires_at', NEW.expires_at,
                'plan_id', (SELECT n.plan_id FROM cognifold.node AS n WHERE n.tenant_id = tenant AND n.id = NEW.node_id))));
        ELSE
            -- 1. What the clock did before this, and nobody has asked about yet, comes before this.
            PERFORM cognifold.write_alarms(tenant, clock, NEW.node_id);
            earlier := cognifold.intent_status(OLD.status, OLD.wake_at, OLD.expires_at, clock);
            -- 2. Another status, or put off once more.
            IF present <> earlier OR present = 'deferred' AND NEW.wake_at <> OLD.wake_at THEN
                PERFORM cognifold.write_outbox(tenant, jsonb_build_array(jsonb_build_object(
                    'node_id', NEW.node_id, 'kind', CASE present WHEN 'pending' THEN 'reopened' ELSE present END, 'from_status', earlier,
                    'status', present, 'category', NEW.category, 'moment', CASE present WHEN 'expired' THEN NEW.expires_at ELSE clock END,
                    'wake_at', CASE present WHEN 'deferred' THEN NEW.wake_at END, 'deadline', NEW.deadline, 'expires_at', NEW.expires_at)));
            END IF;
            -- 3. What it is about or until when. Of an intent just made the plan comes first and its numbers after it: they are
            -- what was emitted.
            IF (NEW.category, NEW.deadline, NEW.expires_at) IS DISTINCT FROM (OLD.category, OLD.deadline, OLD.expires_at) THEN
                UPDATE cognifold.outbox AS o
                SET category = NEW.category, deadline = NEW.deadline, expires_at = NEW.expires_at
                WHERE o.tenant_id = tenant AND o.node_id = NEW.node_id AND o.kind <> 'withdrawn'
                  AND o.written_by = pg_current_xact_id() AND o.recorded_at >= pg_catalog.now();
                GET DIAGNOSTICS told = ROW_COUNT;
                IF told = 0 THEN
                    PERFORM cognifold.write_outbox(tenant, jsonb_build_array(jsonb_build_object(
                        'node_id', NEW.node_id, 'kind', 'changed', 'from_status', present, 'status', present, 'category', NEW.category, 'moment', clock,
                        'wake_at', CASE present WHEN 'deferred' THEN NEW.wake_at END, 'deadline', NEW.deadline, 'expires_at', NEW.expires_at)));
                END IF;
            END IF;
            DELETE FROM cognifold.intent_alarm AS a WHERE a.tenant_id = tenant AND a.node_id = NEW.node_id;
        END IF;
        -- What is still to come. What is past has been said above.
        INSERT INTO cognifold.intent_alarm (tenant_id, node_id, kind, due_at)
        SELECT tenant, NEW.node_id, l.kind, l.due_at
        FROM (VALUES ('woken', CASE WHEN NEW.status = 'deferred' AND NEW.wake_at < coalesce(NEW.expires_at, 'infinity') THEN NEW.wake_at END),
                     ('expired', CASE WHEN NEW.status NOT IN ('resolved', 'rejected') THEN NEW.expires_at END)) AS l (kind, due_at)
        WHERE l.due_at > clock AND isfinite(l.due_at);
    END IF;

    IF previous IS DISTINCT FROM tenant THEN
        PERFORM set_config('cognifold.tenant', coalesce(previous, ''), true);
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION cognifold.note_intent_state() IS
    'Trigger of intent_state: emitted, another status, another category or deadline, withdrawn go into the outbox, in the same transaction; what the clock will do goes into intent_alarm. Internal.';

CREATE OR REPLACE FUNCTION cognifold.note_intent_step() RETURNS trigger
LANGUAGE plpgsql
SET search_path FROM CURRENT
AS $$
DECLARE
    previous text := cognifold.current_tenant();
    happened text := CASE NEW.to_status WHEN 'pending' THEN 'reopened' ELSE NEW.to_status END;
    last     cognifold.outbox;
BEGIN
    IF previous IS DISTINCT FROM NEW.tenant_id THEN
        PERFORM set_config('cognifold.tenant', NEW.tenant_id, true);
    END IF;
    -- Steps that an undo puts back have been told in their time; where they led, the state's trigger has just said.
    IF NOT EXISTS (SELECT FROM cognifold.intent_transition AS t
                   WHERE t.tenant_id = NEW.tenant_id AND t.node_id = NEW.node_id AND t.position > NEW.position)
    THEN
        SELECT o.* INTO last FROM cognifold.outbox AS o
        WHERE o.tenant_id = NEW.tenant_id AND o.node_id = NEW.node_id ORDER BY o.position DESC LIMIT 1;
        IF last.written_by = pg_current_xact_id() AND last.recorded_at >= pg_catalog.now() AND last.event_id IS NULL
           AND last.kind = happened
        THEN
            UPDATE cognifold.outbox AS o
            SET from_status = NEW.from_status, moment = NEW.at, event_id = NEW.event_id, plan_id = NEW.plan_id
            WHERE o.tenant_id = NEW.tenant_id AND o.position = last.position;
        ELSIF NEW.recorded_at >= pg_catalog.now() THEN   -- a step that left the row as it was: put off to the same time
            PERFORM cognifold.write_outbox(NEW.tenant_id, jsonb_build_array(jsonb_build_object(
                'node_id', NEW.node_id, 'kind', happened, 'from_status', NEW.from_status, 'status', NEW.to_status, 'moment', NEW.at,
                'wake_at', NEW.wake_at, 'event_id', NEW.event_id, 'plan_id', NEW.plan_id)
                || (SELECT jsonb_build_object('category', s.category, 'deadline', s.deadline, 'expires_at', s.expires_at)
                    FROM cognifold.intent_state AS s WHERE s.tenant_id = NEW.tenant_id AND s.node_id = NEW.node_id)));
        END IF;
    END IF;
    IF previous IS DISTINCT FROM NEW.tenant_id THEN
        PERFORM set_config('cognifold.tenant', coalesce(previous, ''), true);
    END IF;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION cognifold.note_intent_step() IS
    'Trigger of intent_transition: adds to what intent_state''s trigger has noted which answer or event brought the step about, and the plan. Internal.';

CREATE OR REPLACE TRIGGER intent_told AFTER INSERT OR DELETE ON cognifold.intent_state
    FOR EACH ROW EXECUTE FUNCTION cognifold.note_intent_state();
CREATE OR REPLACE TRIGGER intent_retold AFTER UPDATE ON cognifold.intent_state
    FOR EACH ROW WHEN ((OLD.status, OLD.wake_at, OLD.category, OLD.deadline, OLD.expires_at)
                       IS DISTINCT FROM (NEW.status, NEW.wake_at, NEW.category, NEW.deadline, NEW.expires_at))
    EXECUTE FUNCTION cognifold.note_intent_state();
CREATE OR REPLACE TRIGGER intent_step_told AFTER INSERT ON cognifold.intent_transition
    FOR EACH ROW EXECUTE FUNCTION cognifold.note_intent_step();
