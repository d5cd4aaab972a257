-- is_uuid: whether a name in a plan is written as an id, and so is none of the plan's own refs.
CREATE OR REPLACE FUNCTION cognifold.is_uuid(name text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN name ~ '^[0-9a-fA-F]{8}-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}$';
COMMENT ON FUNCTION cognifold.is_uuid(text) IS 'Whether a text is a uuid with or without its hyphens: narrower than what PostgreSQL reads as one (braces, hyphens elsewhere). Internal.';
