-- drift: what of the memory's functions, views and policies is not as the last install left it.
CREATE OR REPLACE FUNCTION cognifold.object_fingerprints() RETURNS TABLE (identity text, fingerprint text)
LANGUAGE sql STABLE ROWS 500
SET search_path FROM CURRENT
AS $$
    SELECT CASE p.prokind WHEN 'p' THEN 'procedure ' ELSE 'function ' END || p.oid::regprocedure, md5(pg_get_functiondef(p.oid))
    FROM pg_proc AS p WHERE p.pronamespace = 'cognifold'::regnamespace AND p.prokind IN ('f', 'p')
      AND NOT EXISTS (   -- the extension's members come and go with it, whoever installs
          SELECT FROM pg_depend AS d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
    UNION ALL
    SELECT 'view ' || c.relname, md5(concat(c.reloptions, pg_get_viewdef(c.oid)))
    FROM pg_class AS c WHERE c.relnamespace = 'cognifold'::regnamespace AND c.relkind = 'v'
    UNION ALL
    SELECT format('policy %s on %s', p.polname, c.relname),
           md5(concat_ws('|', p.polcmd, p.polpermissive,
                         (SELECT string_agg(r.role::regrole::text, ',' ORDER BY r.role::regrole::text COLLATE "C") FROM unnest(p.polroles) AS r (role)),
                         coalesce(pg_get_expr(p.polqual, p.polrelid), ''), coalesce(pg_get_expr(p.polwithcheck, p.polrelid), '')))
    FROM pg_policy AS p JOIN pg_class AS c ON c.oid = p.polrelid
    WHERE c.relnamespace = 'cognifold'::regnamespace
$$;
COMMENT ON FUNCTION cognifold.object_fingerprints() IS 'Every function, view and policy of the schema with a digest of its definition. Internal: for note_objects and drift.';

CREATE OR REPLACE FUNCTION cognifold.note_objects(kept text[] DEFAULT '{}') RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path FROM CURRENT
AS $$
DECLARE
    written bigint;
BEGIN
    DELETE FROM cognifold.installed_object AS o
    WHERE o.identity <> ALL (kept) AND NOT EXISTS (SELECT FROM cognifold.object_fingerprints() AS f WHERE f.identity = o.identity);
    INSERT INTO cognifold.installed_object AS o (identity, fingerprint, server)
    SELECT f.identity, f.fingerprint, current_setting('server_version_num')::integer / 10000
    FROM cognifold.object_fingerprints() AS f WHERE f.identity <> ALL (kept)
    ON CONFLICT ON CONSTRAINT installed_object_pkey DO UPDATE SET fingerprint = excluded.fingerprint, server = excluded.server
    WHERE (o.fingerprint, o.server) <> (excluded.fingerprint, excluded.server);
    GET DIAGNOSTICS written = ROW_COUNT;
    RETURN written;
END
$$;
COMMENT ON FUNCTION cognifold.note_objects(text[]) IS 'Notes everything as it is now, but what is named in kept: what an install does at its end. Returns how many it noted. Internal: for installs, by cognifold_owner.';

CREATE OR REPLACE FUNCTION cognifold.drift() RETURNS TABLE (identity text, change text, fingerprint text)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 10
SET search_path FROM CURRENT
AS $$
    SELECT o.identity, CASE WHEN f.identity IS NULL THEN 'dropped' ELSE 'changed' END, f.fingerprint
    FROM cognifold.installed_object AS o
    LEFT JOIN cognifold.object_fingerprints() AS f ON f.identity = o.identity
    WHERE o.server = current_setting('server_version_num')::integer / 10000 AND f.fingerprint IS DISTINCT FROM o.fingerprint
$$;
COMMENT ON FUNCTION cognifold.drift() IS
    'What is not as the last install left it: function, view or policy, with its name; changed or dropped; digest of its definition as it is now. No row: all is. What was added is not looked at, nor what another major version of PostgreSQL noted. cognifold upgrade --repair puts it back.';
