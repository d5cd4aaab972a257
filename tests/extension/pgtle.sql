-- A stand-in for pg_tle, as its documentation describes the functions that our script calls: it keeps the scripts as
-- pg_tle does, as the text that functions give. What CREATE EXTENSION then does with them the test does by PostgreSQL's own.
CREATE SCHEMA pgtle;
CREATE TABLE pgtle.control (name text PRIMARY KEY, default_version text, description text, requires text[]);
CREATE TABLE pgtle.script (file text PRIMARY KEY);

CREATE FUNCTION pgtle.keep(file text, ext text) RETURNS void LANGUAGE plpgsql AS $keep$
BEGIN
    EXECUTE format('CREATE FUNCTION pgtle.%I() RETURNS text LANGUAGE sql AS %L', file,
                   'SELECT $_pgtle_i_$' || ext || '$_pgtle_i_$');
    INSERT INTO pgtle.script VALUES (file);
END
$keep$;

CREATE FUNCTION pgtle.install_extension(name text, version text, description text, ext text, requires text[] DEFAULT NULL)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pgtle.control VALUES (name, version, description, requires);
    PERFORM pgtle.keep(format('%s--%s.sql', name, version), ext);
    RETURN true;
END
$$;

CREATE FUNCTION pgtle.install_extension_version_sql(name text, version text, ext text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM pgtle.control AS c WHERE c.name = $1) THEN
        RAISE EXCEPTION 'no extension %', name;
    END IF;
    PERFORM pgtle.keep(format('%s--%s.sql', name, version), ext);
    RETURN true;
END
$$;

CREATE FUNCTION pgtle.install_update_path(name text, fromvers text, tovers text, ext text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pgtle.keep(format('%s--%s--%s.sql', name, fromvers, tovers), ext);
    RETURN true;
END
$$;

CREATE FUNCTION pgtle.set_default_version(name text, version text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE pgtle.control AS c SET default_version = $2 WHERE c.name = $1;
    RETURN FOUND;
END
$$;

CREATE FUNCTION pgtle.available_extensions() RETURNS TABLE (name name, default_version text, comment text) LANGUAGE sql AS $$
    SELECT c.name, c.default_version, c.description FROM pgtle.control AS c
$$;

CREATE FUNCTION pgtle.available_extension_versions() RETURNS TABLE (name name, version text) LANGUAGE sql AS $$
    SELECT c.name, substring(s.file FROM '^' || c.name || '--((?:(?!--).)*)\.sql$')
    FROM pgtle.control AS c JOIN pgtle.script AS s ON s.file ~ ('^' || c.name || '--((?!--).)*\.sql$')
$$;
