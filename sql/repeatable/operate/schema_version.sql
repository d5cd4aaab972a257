-- schema_version: which release these files are of; oldest_client: the oldest program that may still work on what they make.
-- (A release sets the first; the second it sets to itself where an older program would do harm or be misled.)
CREATE OR REPLACE FUNCTION cognifold.schema_version() RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN '0.2.0';
COMMENT ON FUNCTION cognifold.schema_version() IS 'The release of this schema: that of the package, or the extension, that made it.';

CREATE OR REPLACE FUNCTION cognifold.oldest_client() RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN '0.1.0';
COMMENT ON FUNCTION cognifold.oldest_client() IS 'The oldest release of the Python package, client and workers, that may work on this schema (require_client).';
