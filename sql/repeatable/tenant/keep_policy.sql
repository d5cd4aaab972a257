-- keep_policy: a table has a policy as it is given here; where it has it already, the table is not even locked.
CREATE OR REPLACE FUNCTION cognifold.policy_words(expression text) RETURNS text
LANGUAGE sql IMMUTABLE
SET search_path FROM CURRENT
RETURN regexp_replace(expression, '[()\s]|::\w+|\mAS ("[^"]*"|\w+)|cognifold\.', '', 'g');
COMMENT ON FUNCTION cognifold.policy_words(text) IS
    'What an expression says, whether written by hand or by pg_get_expr: without white space, casts, parentheses, names of columns and our schema''s. Internal: for keep_policy.';

CREATE OR REPLACE FUNCTION cognifold.keep_policy(
    guarded regclass, name text, role text, command text, using_expression text, check_expression text DEFAULT NULL
) RETURNS boolean
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
BEGIN
    IF EXISTS (
        SELECT FROM pg_policy AS p
        WHERE p.polrelid = guarded AND p.polname = keep_policy.name AND p.polpermissive
          AND p.polcmd = CASE command WHEN 'ALL' THEN '*' WHEN 'SELECT' THEN 'r' WHEN 'INSERT' THEN 'a' END
          AND p.polroles = ARRAY[CASE role WHEN 'public' THEN 0::oid ELSE (SELECT r.oid FROM pg_roles AS r WHERE r.rolname = role) END]
          AND cognifold.policy_words(pg_get_expr(p.polqual, p.polrelid)) IS NOT DISTINCT FROM cognifold.policy_words(using_expression)
          AND cognifold.policy_words(pg_get_expr(p.polwithcheck, p.polrelid)) IS NOT DISTINCT FROM cognifold.policy_words(check_expression)
    ) THEN
        RETURN false;
    END IF;
    EXECUTE format('DROP POLICY IF EXISTS %I ON %s', name, guarded);
    EXECUTE format('CREATE POLICY %I ON %s FOR %s TO %s', name, guarded, command, CASE role WHEN 'public' THEN 'PUBLIC' ELSE quote_ident(role) END)
         || coalesce(' USING (' || using_expression || ')', '') || coalesce(' WITH CHECK (' || check_expression || ')', '');
    RETURN true;
END
$$;
COMMENT ON FUNCTION cognifold.keep_policy(regclass, text, text, text, text, text) IS
    'Gives a table a policy, or leaves it the one it has, if that says the same: an upgrade locks only tables whose policies change. Returns whether it did. Internal: for the install.';
