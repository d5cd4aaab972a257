-- forgotten_hash: what is kept of the key of an event that was forgotten.
CREATE OR REPLACE FUNCTION cognifold.forgotten_hash(key text) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    -- Without the tenant's name: a copy of the tenant has another, and must know what was forgotten.
    SELECT pg_catalog.sha256(pg_catalog.convert_to(key, 'UTF8'))
$$;
COMMENT ON FUNCTION cognifold.forgotten_hash(text) IS 'SHA-256 of an idempotency key, for forgotten_key. Internal.';
