-- installer_files gives every SQL file the memory is made of, in the order they run, as `cognifold init` has them.
CREATE OR REPLACE FUNCTION cognifold.installer_files()
RETURNS TABLE (place integer, kind text, name text, sha256 text, locks text[], content text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $cognifold_embedded$
VALUES
@FILES@
$cognifold_embedded$;

COMMENT ON FUNCTION cognifold.installer_files() IS
    'Every SQL file the memory is made of: its place in the order, kind (roles, versioned: once; repeatable, policy: again whenever it changed), name, SHA-256, the relations it locks for readers or writers (and names of other things), and text. A member of the extension.';
