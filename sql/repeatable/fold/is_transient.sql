-- is_transient: whether an error is nobody's fault, so that the whole call is to be tried again.
CREATE OR REPLACE FUNCTION cognifold.is_transient(error_state text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
SET search_path FROM CURRENT
AS $$
    SELECT left(error_state, 2) IN ('25', '40', '53', '57', '58')
$$;
COMMENT ON FUNCTION cognifold.is_transient(text) IS
    'Whether a SQLSTATE speaks of the transaction, a conflict, a full disk, a shutdown or a broken file, and not of the event or the row at hand. Internal.';
