-- enter_tenant: every verb's first step. Checks the tenant it was given, and that the caller may see all of it, and scopes the
-- call to it; returns what was set before, for leave_tenant.
CREATE OR REPLACE FUNCTION cognifold.enter_tenant(tenant text) RETURNS text
LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
SET search_path FROM CURRENT
AS $$
DECLARE
    previous text := cognifold.scope_tenant(tenant);
BEGIN
    IF cognifold.sees_in_part(tenant) THEN
        RAISE EXCEPTION 'role "%" sees only what is % of tenant "%", and this verb works on all of it',
            cognifold.effective_role(), CASE cognifold.clearance(tenant) WHEN 'public' THEN 'public' ELSE 'shared or public' END, tenant
            USING ERRCODE = 'CF034',
                  HINT = 'recall, explain_recall, context, context_window, explain, ranked_intents and the views show what it may see, and remember takes what it has to say. An administrator gives more with cognifold.set_clearance; RESET cognifold.clearance if the session lowered it.';
    END IF;
    RETURN previous;
END
$$;
COMMENT ON FUNCTION cognifold.enter_tenant(text) IS
    'Checks a verb''s tenant (CF001 none, CF002 unknown, CF003 not permitted, CF004 another is set; CF034 where the caller''s clearance is not private) and scopes the call to it. Internal.';
