-- age_key: a node's id as its vertex has it.
CREATE OR REPLACE FUNCTION cognifold.age_key(id uuid) RETURNS ag_catalog.agtype
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT pg_catalog.concat('"', id, '"')::ag_catalog.agtype $$;
COMMENT ON FUNCTION cognifold.age_key(uuid) IS 'A node''s id as the property id of its vertex. Internal.';
