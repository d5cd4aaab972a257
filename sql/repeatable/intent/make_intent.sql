-- make_intent: applies the plan of an intent and notes what let it surface; until when it is open follows from its deadline.
CREATE OR REPLACE FUNCTION cognifold.make_intent(
    tenant text, plan jsonb, category text, density double precision, pressure double precision, readiness double precision,
    theta double precision, deadline timestamptz, settings jsonb
) RETURNS uuid
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
DECLARE
    made uuid;
BEGIN
    made := (cognifold.execute_plan(tenant, plan, 'intent') -> 'refs' ->> 'intent')::uuid;
    UPDATE cognifold.intent_state AS s
    SET category = make_intent.category, density = make_intent.density, pressure = make_intent.pressure, readiness = make_intent.readiness,
        theta = make_intent.theta, deadline = make_intent.deadline,
        expires_at = make_intent.deadline + make_interval(secs => 3600 * (settings ->> 'intent.expiry')::double precision)
    WHERE s.tenant_id = make_intent.tenant AND s.node_id = made;
    RETURN made;
END
$$;
COMMENT ON FUNCTION cognifold.make_intent(text, jsonb, text, double precision, double precision, double precision, double precision, timestamptz, jsonb) IS
    'Applies a plan that adds a node of kind intent with the ref "intent", and completes its intent_state; the intent''s id. Internal: emit_intents and emit_strands call it.';
