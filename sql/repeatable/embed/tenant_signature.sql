-- tenant_signature: what is appended to every vector of a tenant in the index, so that tenants lie apart in it.
CREATE OR REPLACE FUNCTION cognifold.tenant_signature(tenant text) RETURNS halfvec
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
SET search_path FROM CURRENT
AS $$
    -- 16 bits of SHA-256, each +1/8 or -1/8, exact in half precision: with itself an inner product of 1/4, with others about 0.
    SELECT array_agg((1 - 2 * get_bit(sha256(convert_to(tenant, 'UTF8')), bit)) / 8.0::real ORDER BY bit)::vector::halfvec
    FROM generate_series(0, 15) AS bit
$$;
COMMENT ON FUNCTION cognifold.tenant_signature(text) IS
    'Sixteen components of 1/8 or -1/8 from the SHA-256 of the tenant''s name. Within a tenant it adds 1/4 to every inner product and changes no order; vectors of others are about 1/4 further away, so an HNSW search stays among the tenant''s own. Internal.';
