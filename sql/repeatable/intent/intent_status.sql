-- intent_status: where an intent stands at a moment: as stored, but a deferred one has woken and an overdue one expired.
CREATE OR REPLACE FUNCTION cognifold.intent_status(status text, wake_at timestamptz, expires_at timestamptz, as_of timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE WHEN status IN ('resolved', 'rejected') THEN status
                WHEN expires_at <= as_of THEN 'expired'
                WHEN status = 'deferred' AND wake_at <= as_of THEN 'pending'
                ELSE status END
$$;
COMMENT ON FUNCTION cognifold.intent_status(text, timestamptz, timestamptz, timestamptz) IS
    'pending, scheduled, deferred, resolved, rejected or expired at as_of: a deferred intent is pending from wake_at on, an open one expired from expires_at on. No job and no write makes it so.';
