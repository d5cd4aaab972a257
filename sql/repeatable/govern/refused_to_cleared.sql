-- refused_to_cleared: a moment of transaction time, refused to who sees but a part: the journal does not say what was private then.
CREATE OR REPLACE FUNCTION cognifold.refused_to_cleared(moment timestamptz, always boolean DEFAULT false) RETURNS timestamptz
LANGUAGE plpgsql STABLE
SET search_path FROM CURRENT
AS $$
BEGIN
    IF moment IS NOT NULL AND (always OR current_user = 'cognifold_cleared') THEN
        RAISE EXCEPTION 'role "%" sees only a part of tenant "%", and known_at looks into the journal of all of it',
            cognifold.effective_role(), cognifold.current_tenant()
            USING ERRCODE = 'CF034', HINT = 'Ask as of a moment of event time (as_of), or as a role with the clearance private.';
    END IF;
    RETURN moment;
END
$$;
COMMENT ON FUNCTION cognifold.refused_to_cleared(timestamptz, boolean) IS
    'The moment, or CF034 where there is one and the caller''s clearance is not private. Internal: what takes known_at asks.';
