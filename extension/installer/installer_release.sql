-- installer_release says what this installer is: its version, and what it asks of the database.
CREATE OR REPLACE FUNCTION cognifold.installer_release() RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $cognifold_embedded$ SELECT '@RELEASE@'::pg_catalog.jsonb $cognifold_embedded$;

COMMENT ON FUNCTION cognifold.installer_release() IS
    'What this installer is: version (of the SQL files it carries), minimum_server, minimum_vector, schemas with their purpose, lock (the advisory lock every install takes), lock_timeout and patience (seconds, installer_lock), and the releases of the word data it loads. A member of the extension.';
