-- What emit_intents must look at is noted where it comes about: evidence, links between concepts, folded events, deadlines, a new intent.
CREATE OR REPLACE FUNCTION cognifold.note_due_concept() RETURNS trigger
LANGUAGE plpgsql
SET search_path FROM CURRENT
AS $$
BEGIN
    INSERT INTO cognifold.intent_due (tenant_id, node_id, due_at) VALUES (NEW.tenant_id, NEW.node_id, '-infinity')
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION cognifold.note_due_concept() IS 'Trigger of concept_state: evidence arrived. Internal.';

CREATE OR REPLACE FUNCTION cognifold.note_due_link() RETURNS trigger
LANGUAGE plpgsql
SET search_path FROM CURRENT
AS $$
BEGIN
    INSERT INTO cognifold.intent_due (tenant_id, node_id, due_at)
    VALUES (NEW.tenant_id, NEW.source_id, '-infinity'), (NEW.tenant_id, NEW.target_id, '-infinity')
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION cognifold.note_due_link() IS 'Trigger of graph_edge: two concepts were linked, or more or less so. Internal.';

CREATE OR REPLACE FUNCTION cognifold.note_due_event() RETURNS trigger
LANGUAGE plpgsql
SET search_path FROM CURRENT
AS $$
BEGIN
    INSERT INTO cognifold.intent_due (tenant_id, node_id, due_at) VALUES (NEW.tenant_id, NEW.event_id, '-infinity')
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION cognifold.note_due_event() IS 'Trigger of folded_event: an event was folded. Internal.';

CREATE OR REPLACE FUNCTION cognifold.note_due_deadline() RETURNS trigger
LANGUAGE plpgsql
SET search_path FROM CURRENT
AS $$
BEGIN
    INSERT INTO cognifold.intent_due (tenant_id, node_id, due_at) VALUES (NEW.tenant_id, NEW.target_id, '-infinity')
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION cognifold.note_due_deadline() IS 'Trigger of graph_edge: a deadline was found in an event. Internal.';

CREATE OR REPLACE FUNCTION cognifold.note_intent() RETURNS trigger
LANGUAGE plpgsql
SET search_path FROM CURRENT
AS $$
BEGIN
    INSERT INTO cognifold.intent_state (tenant_id, node_id) VALUES (NEW.tenant_id, NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION cognifold.note_intent() IS 'Trigger of node: whichever plan makes an intent, it is pending. Internal.';

CREATE OR REPLACE TRIGGER concept_due AFTER INSERT OR UPDATE OF evidence_potential ON cognifold.concept_state
    FOR EACH ROW EXECUTE FUNCTION cognifold.note_due_concept();
CREATE OR REPLACE TRIGGER link_due AFTER INSERT OR UPDATE OF potential, faded_at ON cognifold.graph_edge
    FOR EACH ROW WHEN (NEW.source_kind = 'concept' AND NEW.target_kind = 'concept') EXECUTE FUNCTION cognifold.note_due_link();
CREATE OR REPLACE TRIGGER event_due AFTER INSERT ON cognifold.folded_event
    FOR EACH ROW EXECUTE FUNCTION cognifold.note_due_event();
CREATE OR REPLACE TRIGGER deadline_due AFTER INSERT ON cognifold.graph_edge
    FOR EACH ROW WHEN (NEW.type = 'deadline_for' AND NEW.target_kind = 'event') EXECUTE FUNCTION cognifold.note_due_deadline();
CREATE OR REPLACE TRIGGER intent_made AFTER INSERT ON cognifold.node
    FOR EACH ROW WHEN (NEW.kind = 'intent') EXECUTE FUNCTION cognifold.note_intent();
