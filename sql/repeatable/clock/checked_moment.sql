-- checked_moment: the moment a writing verb works at: as_of, or the clock; not ahead of it unless the role may move the clock.
CREATE OR REPLACE FUNCTION cognifold.checked_moment(verb text, as_of timestamptz) RETURNS timestamptz
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
DECLARE
    clock timestamptz := cognifold.now();
BEGIN
    IF as_of IS NULL THEN
        RETURN clock;
    ELSIF NOT isfinite(as_of) THEN
        RAISE EXCEPTION '%: % is not a moment', verb, as_of
            USING ERRCODE = 'CF010', HINT = 'Give a finite time, or leave it out for the memory''s clock.';
    ELSIF as_of > clock AND NOT pg_has_role(cognifold.effective_role(), 'cognifold_clock', 'MEMBER') THEN
        RAISE EXCEPTION '%: % is ahead of the memory''s clock, %', verb, as_of, clock
            USING ERRCODE = 'CF010', HINT = 'What has not been cannot be forgotten. Members of cognifold_clock may work ahead, for replays and tests.';
    END IF;
    RETURN as_of;
END
$$;
COMMENT ON FUNCTION cognifold.checked_moment(text, timestamptz) IS
    'as_of, or the clock where it is NULL; CF010 for an infinite one and, unless the role is a member of cognifold_clock, for one ahead of the clock. Internal.';
