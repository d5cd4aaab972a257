-- event_digest: SHA-256 over what can never change in an event.
CREATE OR REPLACE FUNCTION cognifold.event_digest(
    content text, title text, payload jsonb, occurred_at timestamptz, source text, actor text
) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
-- jsonb_build_array keeps the fields apart; the time is written as microseconds, the same under every TimeZone.
RETURN sha256(convert_to(jsonb_build_array(
    content, title, payload,
    CASE WHEN isfinite(occurred_at) THEN trunc(EXTRACT(epoch FROM occurred_at) * 1000000)::text
         ELSE (EXTRACT(epoch FROM occurred_at))::text END,
    source, actor)::text, 'UTF8'));
COMMENT ON FUNCTION cognifold.event_digest(text, text, jsonb, timestamptz, text, text) IS
    'SHA-256 of an event''s immutable fields; check() compares it with what is stored.';
