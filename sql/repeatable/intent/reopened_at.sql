-- reopened_at: when a person last reopened an intent: until then nothing that happened had done what it asks for.
CREATE OR REPLACE FUNCTION cognifold.reopened_at(tenant text, intent_id uuid) RETURNS timestamptz
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
#variable_conflict use_column
BEGIN
    RETURN (
        SELECT max(t.at) FROM cognifold.intent_transition AS t
        WHERE t.tenant_id = reopened_at.tenant AND t.node_id = reopened_at.intent_id AND t.to_status = 'pending');
END
$$;
COMMENT ON FUNCTION cognifold.reopened_at(text, uuid) IS 'The time of an intent''s last reopening, NULL for none: events until then resolve it no more. Internal.';
